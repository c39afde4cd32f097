import type { FileStateCache } from "../files/file-state-cache.ts";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { JournalEntry } from "../history/journal.ts";
import { project } from "../history/projection.ts";
import type { Message, UserMessage, Uuid } from "../messages/message.ts";
import { interruptedResult, type OpenToolUse, pathsToCheck } from "../transcript/interrupted.ts";
import type { LoadedSession } from "../transcript/resume.ts";

/** A larger file is not hashed, before an edit or after a crash: what became of the edit is then reported as unknown. Bytes. */
export const MAX_HASHED_BYTES = 64 * 1024 * 1024;

export type RestoredSession = {
  messages: readonly Message[];
  leaf: Uuid | null;
  entries: readonly JournalEntry[];
  /** Results of the calls that a crash left open, to be written before anything else. */
  closing: readonly JournalEntry[];
};

/** A stored conversation as it goes on: every call that was left open is told to the model as what became of it. Nothing runs again. */
export async function restoreSession(
  loaded: LoadedSession,
  files: WorkspaceFiles,
  uuid: () => Uuid,
): Promise<RestoredSession> {
  let { leaf } = loaded;
  const closing: JournalEntry[] = [];
  for (const open of loaded.openToolUses) {
    const { status, text } = interruptedResult(open, await currentHashes(open, files));
    const message = interruptedLine(open, text, uuid());
    if (open.outcome === undefined) closing.push({ type: "outcome", toolUseId: open.toolUse.id, status });
    closing.push({ type: "message", message, parent: leaf, isSidechain: false });
    leaf = message.uuid;
  }
  const entries = [...loaded.entries, ...closing];
  return { messages: closing.length > 0 ? project(entries) : loaded.messages, leaf, entries, closing };
}

/** Files that are as the model last saw them need not be read again before an edit. */
export async function restoreReadState(
  loaded: LoadedSession,
  files: WorkspaceFiles,
  readState: FileStateCache,
): Promise<void> {
  for (const [path, state] of loaded.state.readState ?? []) {
    if ((await files.hash(path, MAX_HASHED_BYTES)) === state.hash) readState.set(path, state);
  }
}

async function currentHashes(open: OpenToolUse, files: WorkspaceFiles): Promise<Record<string, string | null>> {
  const hashes: Record<string, string | null> = {};
  for (const path of pathsToCheck(open)) {
    const hash = await files.hash(path, MAX_HASHED_BYTES);
    if (hash !== undefined) hashes[path] = hash;
  }
  return hashes;
}

function interruptedLine(open: OpenToolUse, text: string, uuid: Uuid): UserMessage {
  return {
    role: "user",
    uuid,
    content: [{ type: "tool_result", tool_use_id: open.toolUse.id, content: text, is_error: true }],
    toolUseResult: `Error: ${text}`,
    sourceToolAssistantUuid: open.assistantUuid,
  };
}
