import type { LookupFunction } from "node:net";
import type { RawData, WebSocket } from "ws";
import { onAbort } from "../../../lib/abort.ts";
import { messageOf, PawlError } from "../../../lib/error.ts";
import { proxyFor } from "../../../lib/proxy.ts";
import type { TaskEnd } from "../../tasks.ts";
import { checkedSocketUrl } from "./checked-url.ts";
import { lookupFor } from "./fetch-page.ts";
import type { FetchSettings } from "./fetch-settings.ts";

const HANDSHAKE_TIMEOUT_MS = 10_000;
/** A longer message ends the watch. Bytes. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/** The end of what came is kept for who asks. Characters. */
const MAX_KEPT_CHARS = 100_000;

export type SocketTarget = { url: string; protocols?: readonly string[] };

type SocketWatch = {
  /** Settles when the socket is closed, by whomever, or its time is over. Never rejects. */
  ended: Promise<Omit<TaskEnd, "summary"> & { what: string }>;
  stop(): void;
  /** The end of what has come. */
  tail(maxBytes: number): Promise<string>;
};

/**
 * Opens a web socket at a public address, over TLS, and gives each message as lines.
 *
 * @param signal ends the opening, not the watch.
 * @throws PawlError `web_fetch` that says what went wrong, `private_address`.
 */
export async function watchSocket(
  { url: address, protocols = [] }: SocketTarget,
  settings: FetchSettings,
  timeoutMs: number,
  onMessage: (lines: Buffer) => void,
  signal: AbortSignal,
): Promise<SocketWatch> {
  const url = checkedSocketUrl(address, settings);
  const socket = await connect(url, protocols, settings, await lookupFor(url, settings));
  let kept = "";
  // Listened for before it is open: what comes first may come with the handshake.
  socket.on("message", (data, isBinary) => {
    const bytes = bytesOf(data);
    const lines = isBinary ? `(a binary message of ${bytes.length} bytes)` : bytes.toString("utf8");
    kept = `${kept}${lines}\n`.slice(-MAX_KEPT_CHARS).toWellFormed();
    onMessage(Buffer.from(`${lines}\n`));
  });
  const watch = following(socket, timeoutMs);
  const release = onAbort(signal, () => socket.terminate());
  await opened(socket, url).finally(release);
  return { ...watch, tail: async (maxBytes) => kept.slice(-maxBytes) };
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

async function connect(
  url: URL,
  protocols: readonly string[],
  settings: FetchSettings,
  lookup: LookupFunction | undefined,
): Promise<WebSocket> {
  const { WebSocket: Socket } = await import("ws");
  return new Socket(url, [...protocols], {
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: MAX_MESSAGE_BYTES,
    followRedirects: false,
    perMessageDeflate: false,
    ...(lookup === undefined ? {} : { lookup }),
    ...(settings.ca === undefined ? {} : { ca: settings.ca }),
    ...(await throughProxy(url, settings)),
  });
}

function opened(socket: WebSocket, url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("open", () => resolve());
    socket.once("error", (error) => reject(error instanceof PawlError ? error : failure(url.href, messageOf(error))));
  });
}

async function throughProxy(url: URL, { env = {}, ca }: FetchSettings) {
  const proxy = proxyFor(new URL(`https://${url.host}`), env);
  if (proxy === undefined || url.protocol === "ws:") return {};
  const { TunnelAgent } = await import("../../../lib/http-tunnel.ts");
  return { agent: new TunnelAgent(proxy, ca === undefined ? {} : { ca }) };
}

function following(socket: WebSocket, timeoutMs: number): Pick<SocketWatch, "ended" | "stop"> {
  let because: "stopped" | "time" | undefined;
  let fault: string | undefined;
  const end = (why: "stopped" | "time") => {
    because ??= why;
    socket.terminate();
  };
  const timer = setTimeout(() => end("time"), timeoutMs);
  const ended: SocketWatch["ended"] = new Promise((resolve) => {
    socket.on("error", (error) => {
      fault = messageOf(error);
    });
    socket.once("close", (code) => {
      clearTimeout(timer);
      if (because === "stopped") resolve({ status: "stopped", what: "was stopped" });
      else if (because === "time") resolve({ status: "completed", what: "was ended because its time was over" });
      else if (fault !== undefined) resolve({ status: "failed", what: `failed: ${fault}` });
      else resolve({ status: "completed", what: `ended: the other side closed the socket (code ${code})` });
    });
  });
  return { ended, stop: () => end("stopped") };
}

const failure = (address: string, why: string) =>
  new PawlError("web_fetch", `${address} could not be watched: ${why}.`);
