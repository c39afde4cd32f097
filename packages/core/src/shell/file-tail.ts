import { open } from "node:fs/promises";

/** The last bytes of a file as text, from the start of a line where one begins; "" when there is no file yet. */
export async function fileTail(path: string, maxBytes: number): Promise<string> {
  const file = await open(path, "r").catch(() => undefined);
  if (file === undefined) return "";
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - maxBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from);
    const text = buffer.toString("utf8", 0, bytesRead);
    const lineStart = from === 0 ? 0 : text.indexOf("\n") + 1;
    return text.slice(lineStart);
  } finally {
    await file.close();
  }
}
