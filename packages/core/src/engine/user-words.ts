import type { JournalEntry } from "../history/journal.ts";
import { textOf } from "../messages/message.ts";

/** The latest of what the user has said is kept. Messages, and characters of each. */
const MAX_KEPT_MESSAGES = 20;
const MAX_KEPT_CHARS = 4_000;

/** What the user typed, in order: no tool result, no file, no summary, nothing that the engine said. */
export type UserWords = { readonly texts: readonly string[]; hear(entry: JournalEntry): void };

export function createUserWords(entries: readonly JournalEntry[]): UserWords {
  const texts: string[] = [];
  const hear = (entry: JournalEntry) => {
    if (entry.type === "projection" && entry.op === "clear") texts.length = 0;
    const words = wordsIn(entry);
    if (words === undefined) return;
    texts.push(words);
    if (texts.length > MAX_KEPT_MESSAGES) texts.shift();
  };
  for (const entry of entries) hear(entry);
  return { texts, hear };
}

function wordsIn(entry: JournalEntry): string | undefined {
  if (entry.type !== "message" || entry.isSidechain || entry.message.role !== "user") return undefined;
  const { isMeta, origin, isCompactSummary, content } = entry.message;
  const isOwn = !isMeta && origin === undefined && !isCompactSummary;
  if (!isOwn || content.some(({ type }) => type === "tool_result")) return undefined;
  const text = textOf(content).trim();
  return text === "" ? undefined : text.slice(0, MAX_KEPT_CHARS).toWellFormed();
}
