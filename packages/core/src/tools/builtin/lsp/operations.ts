import { abortableSleep } from "../../../lib/abort.ts";
import { isRecord } from "../../../messages/api-shape.ts";
import type { LanguageServer, Running } from "./language-server.ts";
import type { LspLimits } from "./limits.ts";
import type { OpenDocument } from "./open-documents.ts";

/** What may be asked. Those of a position need `line` and `character`. */
export const positionOperations = [
  "goToDefinition",
  "goToTypeDefinition",
  "goToImplementation",
  "findReferences",
  "hover",
  "incomingCalls",
  "outgoingCalls",
] as const;
export const lspOperations = [...positionOperations, "documentSymbol", "workspaceSymbol", "diagnostics"] as const;
export type LspOperation = (typeof lspOperations)[number];

/** `line` and `character` are counted from 0, as the protocol does. */
type LspQuestion = { operation: LspOperation; line: number; character: number; query: string };

type Asking = {
  server: LanguageServer;
  running: Running;
  document: OpenDocument;
  limits: Pick<LspLimits, "diagnostics" | "recheck" | "quiet">;
  signal: AbortSignal;
};

const methods: Readonly<Record<Exclude<LspOperation, "incomingCalls" | "outgoingCalls" | "diagnostics">, string>> = {
  goToDefinition: "textDocument/definition",
  goToTypeDefinition: "textDocument/typeDefinition",
  goToImplementation: "textDocument/implementation",
  findReferences: "textDocument/references",
  hover: "textDocument/hover",
  documentSymbol: "textDocument/documentSymbol",
  workspaceSymbol: "workspace/symbol",
};

/** The server's answer in the protocol's form. @throws PawlError `lsp`, `aborted`. */
export async function askServer(question: LspQuestion, asking: Asking): Promise<unknown> {
  const { operation } = question;
  if (operation === "diagnostics") return diagnostics(asking);
  if (operation === "incomingCalls" || operation === "outgoingCalls") return calls(question, operation, asking);
  return send(methods[operation], paramsOf(question, asking.document), asking);
}

const send = (method: string, params: unknown, { server, running, signal }: Asking) =>
  server.request(running, method, params, signal);

function paramsOf({ operation, line, character, query }: LspQuestion, { uri }: OpenDocument): unknown {
  if (operation === "workspaceSymbol") return { query };
  const textDocument = { uri };
  if (operation === "documentSymbol") return { textDocument };
  const context = operation === "findReferences" ? { context: { includeDeclaration: true } } : {};
  return { textDocument, position: { line, character }, ...context };
}

/** Who calls it, or what it calls, for each function that stands there. */
async function calls(question: LspQuestion, operation: "incomingCalls" | "outgoingCalls", asking: Asking) {
  const params = paramsOf(question, asking.document);
  const items = await send("textDocument/prepareCallHierarchy", params, asking);
  const found: unknown[] = [];
  for (const item of Array.isArray(items) ? items : []) {
    const answer = await send(`callHierarchy/${operation}`, { item }, asking);
    found.push(...(Array.isArray(answer) ? answer : []));
  }
  return found;
}

/** Asked for where the server can be asked, else waited for: it publishes them by itself. */
async function diagnostics(asking: Asking): Promise<readonly unknown[] | undefined> {
  const { running, document } = asking;
  if (running.capabilities["diagnosticProvider"]) {
    const report = await send("textDocument/diagnostic", { textDocument: { uri: document.uri } }, asking);
    return isRecord(report) && Array.isArray(report["items"]) ? report["items"] : [];
  }
  return published(asking);
}

/** What was said before may be outdated by a file that the server does not see through us: it is made to look again. */
async function published({ running, document, limits, signal }: Asking) {
  const { uri } = document;
  const before = running.published.of(uri, document.version);
  const version = before === undefined ? document.version : running.documents.sendAgain(document);
  const end = performance.now() + (before === undefined ? limits.diagnostics : limits.recheck);
  const left = () => Math.max(0, end - performance.now());
  while (running.published.of(uri, version) === undefined && left() > 0 && !signal.aborted)
    await running.published.heard(uri, left(), signal);
  // The first word is often the quick part of it.
  for (let last: unknown; last !== running.published.of(uri, version) && left() > 0 && !signal.aborted; ) {
    last = running.published.of(uri, version);
    await abortableSleep(Math.min(limits.quiet, left()), signal);
  }
  return running.published.of(uri, version) ?? before;
}
