import { type FileHandle, open } from "node:fs/promises";

/** A file that only grows. Opened by one writer at a time. */
export type AppendFile = {
  /** Gives the bytes written and, when that is not all of them, why. */
  append(bytes: Buffer): Promise<{ written: number; error?: unknown }>;
  close(): Promise<void>;
};

/** @param durable whether each append reaches the disk (`fdatasync`), not only the operating system. */
export async function openAppendFile(path: string, durable: boolean): Promise<AppendFile> {
  const handle = await open(path, "a+", 0o600);
  let isTorn = await endsInTornLine(handle);
  return {
    async append(bytes) {
      if (isTorn) {
        await handle.write("\n");
        isTorn = false;
      }
      // Asked beside the write: each wait for the disk is part of a round.
      const [{ nlink }, result] = await Promise.all([handle.stat(), writeAll(handle, bytes, durable)]);
      if (nlink === 0) return { written: 0, error: new Error("the file was deleted while the session used it") };
      return result;
    },
    close: () => handle.close(),
  };
}

async function writeAll(handle: FileHandle, bytes: Buffer, durable: boolean) {
  let written = 0;
  try {
    while (written < bytes.length) written += (await handle.write(bytes, written)).bytesWritten;
    if (durable) await handle.datasync();
    return { written };
  } catch (error) {
    return { written: durable ? 0 : written, error };
  }
}

async function endsInTornLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== NEWLINE;
}

const NEWLINE = 0x0a;
