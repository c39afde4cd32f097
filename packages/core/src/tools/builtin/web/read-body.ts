import type { IncomingMessage } from "node:http";
import { pipeline, Writable } from "node:stream";
import { promisify } from "node:util";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { PawlError } from "../../../lib/error.ts";

/** A page may be this big, unpacked. Bytes. */
export const MAX_PAGE_BYTES = 10 * 1024 * 1024;

const unpackers: Readonly<Record<string, () => NodeJS.ReadWriteStream>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** As servers say it of what is not packed at all. */
const unpacked: ReadonlySet<string> = new Set(["", "identity", "none"]);

/** The whole body, unpacked. @throws PawlError `web_fetch` when it is too big or packed in a way that is not known. */
export async function readBody(response: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  const chunks: Buffer[] = [];
  let bytes = 0;
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      chunks.push(chunk);
      done(bytes > MAX_PAGE_BYTES ? tooBig() : null);
    },
  });
  const unpack = unpackers[encoding];
  if (unpack === undefined && !unpacked.has(encoding)) {
    response.destroy();
    throw new PawlError("web_fetch", `The page is packed as "${encoding}", which is not known.`);
  }
  const stop = () => response.destroy(new Error("aborted"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (unpack === undefined) await piped(response, sink);
    else await piped(response, unpack(), sink);
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return Buffer.concat(chunks);
}

const piped = promisify(pipeline);

const tooBig = () =>
  new PawlError("web_fetch", `The page has more than ${MAX_PAGE_BYTES / (1024 * 1024)} MB, the most that is fetched.`);
