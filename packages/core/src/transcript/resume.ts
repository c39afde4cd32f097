import type { JournalEntry } from "../history/journal.ts";
import { projectWithReport } from "../history/projection.ts";
import { messageOf, PawlError, systemCode } from "../lib/error.ts";
import type { Message, ModelId, Uuid } from "../messages/message.ts";
import { type OpenToolUse, openToolUses } from "./interrupted.ts";
import type { Problem } from "./problem.ts";
import { readTranscript } from "./reader.ts";
import { optional } from "./record.ts";
import { type SessionState, type SessionTotals, sessionState, sessionTotals } from "./session-state.ts";

/** A stored session, ready to go on. */
export type LoadedSession = {
  sessionId: string | null;
  path: string;
  entries: JournalEntry[];
  /** What the model sees of `entries`. */
  messages: readonly Message[];
  /** The parent of the next line. */
  leaf: Uuid | null;
  /** Calls without a result: `interruptedResult` says what the model is told of each. */
  openToolUses: OpenToolUse[];
  state: SessionState;
  /** Of the last answer in `messages`. */
  lastModel?: ModelId;
  totals: SessionTotals;
  /** For the writer that takes the session: `lastFence`. */
  fence: number;
  /** What could not be read, and what was done about it. */
  problems: Problem[];
};

/**
 * Loads a session from its transcript, whatever state that is in.
 *
 * @throws PawlError `session_not_found` when the file cannot be read, `session_newer` when a newer version wrote to it.
 */
export async function loadSession(path: string): Promise<LoadedSession> {
  const transcript = await read(path);
  const { entries, problems } = transcript;
  const newer = problems.find(({ type }) => type === "newer_record");
  if (newer !== undefined) {
    throw new PawlError(
      "session_newer",
      `${path}:${newer.line}: ${newer.message}. Update this program to go on with the session`,
    );
  }
  const { messages, leaf } = projectWithReport(entries);
  return {
    sessionId: transcript.sessionId,
    path,
    entries,
    messages,
    leaf,
    openToolUses: openToolUses(messages, entries),
    state: sessionState(entries, transcript.cwd),
    ...optional("lastModel", lastModelOf(messages)),
    totals: sessionTotals(entries),
    fence: transcript.fence,
    problems,
  };
}

async function read(path: string) {
  try {
    return await readTranscript(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    throw new PawlError("session_not_found", `${path}: cannot read the session: ${messageOf(error)}`, { cause: error });
  }
}

function lastModelOf(messages: readonly Message[]): ModelId | undefined {
  const isAnswer = (message: Message) => message.role === "assistant" && !NO_MODEL.has(message.model);
  const last = messages.findLast(isAnswer);
  return last?.role === "assistant" ? last.model : undefined;
}

/** What stands in place of a model's name when no model made the message. */
const NO_MODEL: ReadonlySet<string> = new Set(["<synthetic>", "unknown"]);
