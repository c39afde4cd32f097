import { createHash } from "node:crypto";
import { PawlError } from "../lib/error.ts";
import { onFirstCall } from "../lib/on-first-call.ts";
import type { DecodedText } from "./foreign-text.ts";
import { lineCollector } from "./line-range.ts";
import { readBytes } from "./read-bytes.ts";
import { type ReadBounds, readRegularFile } from "./regular-file.ts";
import { decodeText, textDecoder } from "./text-encoding.ts";
import type { LineRange, LineRequest, TextFile } from "./workspace-files.ts";

const decodeForeign = onFirstCall(async () => (await import("./foreign-text.ts")).decodeForeign);

/** Lines are read from a file that is no UTF-8 up to this size. Bytes. */
const MAX_FOREIGN_BYTES = 64 * 1024 * 1024;

export async function readWholeText(path: string, bounds: ReadBounds): Promise<TextFile> {
  const { bytes, ...file } = await readBytes(path, bounds);
  return { ...file, ...(await decoded(path, bytes)) };
}

async function decoded(path: string, bytes: Buffer): Promise<DecodedText> {
  try {
    return { ...decodeText(path, bytes), encoding: "utf-8" };
  } catch (error) {
    if (!isForeign(error)) throw error;
    return decodeForeign(path, bytes);
  }
}

const isForeign = (error: unknown) => error instanceof PawlError && error.code === "file_encoding";

type LineBounds = LineRequest & ReadBounds;

export async function readTextLines(path: string, request: LineBounds): Promise<LineRange> {
  try {
    return await readUtf8Lines(path, request);
  } catch (error) {
    if (!isForeign(error)) throw error;
    return readForeignLines(path, request, error);
  }
}

async function readUtf8Lines(path: string, request: LineBounds): Promise<LineRange> {
  const decoder = textDecoder(path);
  const collector = lineCollector(request);
  const hash = createHash("sha256");
  const stamp = await readRegularFile(path, request, (bytes) => {
    hash.update(bytes);
    collector.push(decoder.push(bytes));
  });
  const { text, hasBom } = decoder.end();
  collector.push(text);
  return { ...stamp, ...collector.end(), hash: hash.digest("hex"), hasBom, encoding: "utf-8" };
}

/** What is no UTF-8 is decoded as a whole, because its encoding is guessed from all of it. Of a bigger file `why` is thrown. */
async function readForeignLines(path: string, request: LineBounds, why: unknown): Promise<LineRange> {
  const { maxBytes } = request;
  const bounds = { ...request, maxBytes: Math.min(maxBytes, MAX_FOREIGN_BYTES) };
  const { text, ...file } = await readWholeText(path, bounds).catch((error: unknown) => {
    throw error instanceof PawlError && error.code === "file_too_large" && maxBytes > bounds.maxBytes ? why : error;
  });
  const collector = lineCollector(request);
  collector.push(text.toWellFormed());
  return { ...file, ...collector.end() };
}
