import { readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Outputs of old sessions go after this time. Milliseconds. */
const MAX_OUTPUT_AGE_MS = 14 * 24 * 3_600_000;
/** All outputs of all sessions together; the oldest go first. Bytes. */
const MAX_ALL_OUTPUTS_BYTES = 2 * 1024 ** 3;
/** What was written to so shortly before may be a running job's. Milliseconds. */
const MIN_OUTPUT_AGE_MS = 3 * 3_600_000;
/** No sweep looks at more. */
const MAX_FILES = 20_000;

type Output = { path: string; bytes: number; modifiedMs: number };

/** Removes outputs of jobs in the sessions' folders that are too old, and the oldest of those that are too many. Never throws. */
export async function sweepOutputs(folder: string, nowMs: number, maxBytes = MAX_ALL_OUTPUTS_BYTES): Promise<void> {
  const outputs = (await outputsIn(folder)).sort((one, other) => other.modifiedMs - one.modifiedMs);
  let bytes = 0;
  for (const output of outputs) {
    const ageMs = nowMs - output.modifiedMs;
    bytes += output.bytes;
    if (ageMs > MIN_OUTPUT_AGE_MS && (ageMs > MAX_OUTPUT_AGE_MS || bytes > maxBytes)) {
      await rm(output.path, { force: true }).catch(() => {});
    }
  }
  // Removes those that are empty, and fails on the others.
  for (const session of await namesIn(folder)) await rmdir(join(folder, session)).catch(() => {});
}

async function outputsIn(folder: string): Promise<Output[]> {
  const outputs: Output[] = [];
  for (const session of await namesIn(folder)) {
    for (const name of await namesIn(join(folder, session))) {
      if (outputs.length >= MAX_FILES) return outputs;
      const path = join(folder, session, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) outputs.push({ path, bytes: found.size, modifiedMs: found.mtimeMs });
    }
  }
  return outputs;
}

const namesIn = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
