import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TranscriptOptions } from "../../src/transcript/jsonl-writer.ts";
import { openTranscript } from "../../src/transcript/jsonl-writer.ts";
import { placeNewSession } from "../../src/transcript/project-folder.ts";
import type { TranscriptStore } from "../../src/transcript/store.ts";

export const SESSION = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
export const OTHER_SESSION = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

/** A clock that stands still. */
export const now = () => Date.UTC(2026, 0, 2, 3, 4, 5, 6);

export const writing = { cwd: "/w", version: "0.1.0", entrypoint: "cli", now } satisfies Partial<TranscriptOptions>;

export async function newTranscript(
  configHome: string,
  more: Partial<TranscriptOptions> & { sessionId?: string; realCwd?: string } = {},
): Promise<TranscriptStore> {
  const { sessionId = SESSION, realCwd = "/w", ...options } = more;
  const place = await placeNewSession({ configHome, realCwd, sessionId });
  return openTranscript({ place, ...writing, ...options });
}

/** The path of a recorded session of another agent. */
export const recordedTranscript = (name: string): string =>
  fileURLToPath(new URL(`../cases/transcripts/${name}`, import.meta.url));

type ExpectedTranscript = {
  json_lines_that_are_not_objects: number;
  duplicate_uuids: number;
  sidechain_records: number;
  records_with_missing_parent: number;
  main_records: number;
  tool_uses: number;
  tool_uses_without_result: string[];
  chain_from_last_main_record?: {
    records: number;
    first_uuid: string;
    leaf_uuid: string;
    distinct_assistant_message_ids: number;
  };
};

export const expectedTranscripts: Readonly<Record<string, ExpectedTranscript>> = JSON.parse(
  readFileSync(recordedTranscript("expected.json"), "utf8"),
);
