import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf, PawlError } from "../lib/error.ts";
import { storeIn } from "./output-folder.ts";
import type { TranscriptStore } from "./store.ts";

/** A session that keeps nothing. Big outputs go to a temporary folder that ends with it. */
export function nullStore(sessionId: string): TranscriptStore {
  let folder: Promise<string> | undefined;
  return {
    sessionId,
    path: null,
    append: async () => {},
    async storeOutput(name, text) {
      folder ??= temporaryFolder();
      return storeIn(await folder, name, text);
    },
    async close() {
      const made = folder;
      folder = undefined;
      if (made !== undefined) await rm(await made, { recursive: true, force: true });
    },
  };
}

async function temporaryFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), "pawl-output-"));
  } catch (error) {
    throw new PawlError("transcript_write", `${tmpdir()}: cannot make a folder for outputs: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
