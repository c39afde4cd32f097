import { childController } from "../lib/abort.ts";
import { sha256 } from "./hash.ts";
import { type ReadBounds, readRegularFile } from "./regular-file.ts";
import type { BinaryFile } from "./workspace-files.ts";

/** The whole of a regular file. */
export async function readBytes(path: string, bounds: ReadBounds): Promise<BinaryFile> {
  const chunks: Uint8Array[] = [];
  const stamp = await readRegularFile(path, bounds, (bytes) => void chunks.push(bytes));
  const bytes = Buffer.concat(chunks);
  return { ...stamp, bytes, hash: sha256(bytes) };
}

/** The first bytes of a regular file of any size, at least `headBytes` where there are so many. */
export async function readHead(
  path: string,
  { signal, place }: { signal: AbortSignal; place?: string },
  headBytes: number,
): Promise<Buffer> {
  const enough = childController(signal);
  const chunks: Uint8Array[] = [];
  let read = 0;
  const take = (bytes: Uint8Array) => {
    chunks.push(bytes);
    read += bytes.length;
    if (read >= headBytes) enough.abort();
  };
  try {
    const bounds = { signal: enough.signal, maxBytes: Number.POSITIVE_INFINITY };
    await readRegularFile(path, place === undefined ? bounds : { ...bounds, place }, take);
  } catch (error) {
    if (signal.aborted || read < headBytes) throw error;
  } finally {
    enough.release();
  }
  return Buffer.concat(chunks).subarray(0, headBytes);
}
