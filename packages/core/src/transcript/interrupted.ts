import type { JournalEntry } from "../history/journal.ts";
import type { Message, ToolUseBlock, ToolUseId, Uuid } from "../messages/message.ts";

/** Calls that a crash or a kill left without a result, and what the model is told of them. */

type Entry<Type extends JournalEntry["type"]> = Extract<JournalEntry, { type: Type }>;

export type OpenToolUse = {
  toolUse: ToolUseBlock;
  /** The message that holds it. */
  assistantUuid: Uuid;
  /** It had begun to have effects. */
  intent?: Entry<"intent">;
  /** It had ended, but its result was not written. */
  outcome?: Entry<"outcome">;
  /** The person was asked, and had not answered unless there is an `answer`. */
  question?: Entry<"question">;
  answer?: Entry<"answer">;
};

/** The open calls of `messages`, in order; `entries` says how far each had come. */
export function openToolUses(messages: readonly Message[], entries: readonly JournalEntry[]): OpenToolUse[] {
  const open = new Map<ToolUseId, OpenToolUse>();
  for (const message of messages) {
    for (const block of message.content) {
      if (message.role === "assistant" && block.type === "tool_use") {
        open.set(block.id, { toolUse: block, assistantUuid: message.uuid });
      } else if (block.type === "tool_result") open.delete(block.tool_use_id);
    }
  }
  for (const entry of open.size === 0 ? [] : entries) addProgress(open, entry);
  return [...open.values()];
}

function addProgress(open: ReadonlyMap<ToolUseId, OpenToolUse>, entry: JournalEntry): void {
  switch (entry.type) {
    case "intent":
    case "outcome":
    case "question":
    case "answer": {
      const toolUse = open.get(entry.toolUseId);
      if (toolUse !== undefined) Object.assign(toolUse, { [entry.type]: entry });
      return;
    }
    default:
      return;
  }
}

/** Hex SHA-256 by path as in the intent; null for a file that is not there. */
export type FileHashes = Readonly<Record<string, string | null>>;

/** The paths whose present hashes `interruptedResult` wants. */
export const pathsToCheck = ({ intent }: OpenToolUse): string[] =>
  intent?.effect === "edit" ? Object.keys(intent.before ?? {}) : [];

type InterruptedResult = {
  /** What is journalled as the outcome; `cancelled` for a call that had no effect. */
  status: Entry<"outcome">["status"];
  /** The error result for the model. */
  text: string;
};

/** What became of an open call, as far as the journal and the files tell. Nothing is run again. */
export function interruptedResult(open: OpenToolUse, current: FileHashes): InterruptedResult {
  if (open.outcome !== undefined) return endedResult(open.outcome);
  if (open.intent === undefined) return { status: "cancelled", text: NOT_STARTED };
  if (open.intent.effect === "other") return { status: "unknown", text: OUTCOME_UNKNOWN };
  return editResult(open.intent.before ?? {}, current);
}

const NOT_STARTED =
  "The session was interrupted before this call had a result. It changed nothing; make it again if it is still needed.";

const OUTCOME_UNKNOWN =
  "The call was interrupted, outcome unknown: it may have had its effect in full, in part, or not at all. " +
  "Find out what happened before doing it again.";

function endedResult({ status }: Entry<"outcome">): InterruptedResult {
  if (status === "unknown") return { status, text: OUTCOME_UNKNOWN };
  const what = { done: "was carried out", failed: "failed", denied: "was denied", cancelled: "was cancelled" }[status];
  return { status, text: `The session was interrupted: the call ${what}, but its result was lost.` };
}

function editResult(before: FileHashes, current: FileHashes): InterruptedResult {
  const paths = Object.keys(before);
  const changed = paths.filter((path) => current[path] !== undefined && current[path] !== before[path]);
  const isKnown = paths.length > 0 && paths.every((path) => current[path] !== undefined);
  if (!isKnown) return { status: "unknown", text: OUTCOME_UNKNOWN };
  if (changed.length === 0) {
    return {
      status: "failed",
      text: `The edit was interrupted and not applied: ${list(paths)} as before. Make it again if it is still needed.`,
    };
  }
  if (changed.length < paths.length) {
    const same = paths.filter((path) => !changed.includes(path));
    return {
      status: "unknown",
      text: `The edit was interrupted and applied in part: ${list(changed)} changed, ${list(same)} as before. Read them before going on.`,
    };
  }
  return {
    status: "done",
    text: `The edit was interrupted after it was applied: ${list(changed)} changed since it began. Read before going on.`,
  };
}

const list = (paths: readonly string[]): string => `${paths.join(", ")} ${paths.length === 1 ? "is" : "are"}`;
