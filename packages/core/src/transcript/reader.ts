import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { readJsonLines } from "../lib/jsonl.ts";
import { Draft, type Transcript } from "./draft.ts";
import { isSessionId } from "./paths.ts";

const READ_CHUNK_BYTES = 1024 * 1024;

/**
 * Reads a transcript, ours or another writer's of the public form. What cannot be read is reported and left out; nothing
 * that a file can hold makes it throw.
 *
 * @throws the system's error when the file cannot be opened or read.
 */
export async function readTranscript(path: string): Promise<Transcript> {
  const draft = new Draft();
  for await (const line of readJsonLines(createReadStream(path, { highWaterMark: READ_CHUNK_BYTES }))) draft.take(line);
  const stem = basename(path, ".jsonl");
  return draft.finish(isSessionId(stem) ? stem : null);
}
