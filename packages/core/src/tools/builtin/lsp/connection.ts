import {
  CancellationTokenSource,
  createMessageConnection,
  type MessageConnection,
  StreamMessageWriter,
} from "vscode-jsonrpc/node.js";
import { onAbort } from "../../../lib/abort.ts";
import { isRecord } from "../../../messages/api-shape.ts";
import type { ServedProgram } from "../../../shell/shell.ts";
import { BoundedMessageReader } from "./message-reader.ts";

type ConnectionEvents = {
  /** What the server gets when it asks for its configuration. */
  configuration(section: string | undefined): unknown;
  published(uri: string, diagnostics: readonly unknown[], version: number | undefined): void;
  /** It speaks no sense: nothing more comes of it. */
  broken(why: string): void;
};

/** A request and its answer, or notes without one, to one language server. */
export type LspConnection = {
  /** Rejects with what the server says, and when `signal` aborts; the server is told of that. */
  request(method: string, params: unknown, signal: AbortSignal): Promise<unknown>;
  notify(method: string, params: unknown): void;
  dispose(): void;
};

export function connectServer({ stdin, stdout }: ServedProgram, events: ConnectionEvents): LspConnection {
  const connection = createMessageConnection(new BoundedMessageReader(stdout), new StreamMessageWriter(stdin), quiet);
  connection.onError(([error]) => events.broken(error.message));
  answerServer(connection, events);
  connection.listen();
  return {
    request(method, params, signal) {
      const source = new CancellationTokenSource();
      return new Promise<unknown>((resolve, reject) => {
        const release = onAbort(signal, () => {
          source.cancel();
          reject(new Error("aborted"));
        });
        connection.sendRequest(method, params, source.token).then(resolve, reject).finally(release);
      });
    },
    notify: (method, params) => void connection.sendNotification(method, params).catch(() => {}),
    dispose: () => connection.dispose(),
  };
}

const quiet = { error: () => {}, warn: () => {}, info: () => {}, log: () => {} };

/** What servers ask for. Of edits none is made: the agent edits by its own tools. */
function answerServer(connection: MessageConnection, events: ConnectionEvents): void {
  connection.onRequest("workspace/configuration", (params: unknown) => {
    const items = isRecord(params) && Array.isArray(params["items"]) ? params["items"] : [];
    return items.map((item: unknown) => {
      const section = isRecord(item) && typeof item["section"] === "string" ? item["section"] : undefined;
      return events.configuration(section) ?? null;
    });
  });
  for (const method of ["window/workDoneProgress/create", "client/registerCapability", "client/unregisterCapability"])
    connection.onRequest(method, () => null);
  connection.onRequest("window/showMessageRequest", () => null);
  connection.onRequest("workspace/applyEdit", () => ({ applied: false, failureReason: "This client makes no edits." }));
  connection.onNotification("textDocument/publishDiagnostics", (params: unknown) => {
    if (!isRecord(params) || typeof params["uri"] !== "string" || !Array.isArray(params["diagnostics"])) return;
    const { version } = params;
    events.published(params["uri"], params["diagnostics"], typeof version === "number" ? version : undefined);
  });
  connection.onUnhandledNotification(() => {});
}
