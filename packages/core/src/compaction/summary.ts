import type { ContentBlock, Message, UserMessage, Uuid } from "../messages/message.ts";
import { textOf } from "../messages/message.ts";

/** Of a tool result that is summarised, this much of its beginning is shown. Characters. */
const MAX_RESULT_CHARS = 2_000;

const INSTRUCTION = `The conversation above is to be replaced by your summary of it, because there is no more room. Whoever goes on sees only the summary, so it must hold all that is needed to go on without asking again.

First think in a section <scratch>…</scratch>, which is removed. Then write these sections:
1. What the user asked for, and every correction they made, in their words.
2. Where the work stands now.
3. Files looked at and changed: paths, what matters in each, what was changed.
4. Errors met, and how each was solved.
5. Decisions made, and why.
6. What is still open.
7. The next step.

Do not call tools. Say what is done as done, so that it is not done again.`;

/** The messages to be summarised in a form that asks nothing of the provider but text, with the instruction at the end. */
export function summaryMessages(messages: readonly Message[], uuid: Uuid): Message[] {
  const lines = messages.map((message) => `${message.role}:\n${message.content.map(shown).filter(Boolean).join("\n")}`);
  return [{ role: "user", uuid, content: [{ type: "text", text: `${lines.join("\n\n")}\n\n${INSTRUCTION}` }] }];
}

function shown(block: ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "tool_use":
      return `[call of ${block.name}: ${JSON.stringify(block.input)}]`;
    case "tool_result":
      return `[result: ${cut(typeof block.content === "string" ? block.content : block.content.map(shown).join("\n"))}]`;
    case "image":
    case "document":
      return `[${block.type}]`;
    case "thinking":
    case "redacted_thinking":
    case "other":
      return "";
    default:
      return block satisfies never;
  }
}

const cut = (text: string) =>
  text.length <= MAX_RESULT_CHARS
    ? text
    : `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()} … (${text.length} characters)`;

/** What the model wrote without its scratch section; undefined when that leaves nothing: a failed compaction. */
export function summaryText(answer: readonly ContentBlock[]): string | undefined {
  const text = textOf(answer)
    .replace(/<scratch>[\s\S]*?(<\/scratch>|$)/g, "")
    .trim();
  return text === "" ? undefined : text;
}

/** The message that stands for all that was summarised. The user's last request stays in its own words. */
export function summaryMessage(parts: {
  uuid: Uuid;
  summary: string;
  lastRequest: string | undefined;
  /** Where the session is and what the project asks of it. */
  context: string | undefined;
}): UserMessage {
  const request =
    parts.lastRequest === undefined ? "" : `\n\nThe user's last request, word for word:\n${parts.lastRequest}`;
  const text = `The conversation so far was replaced by this summary:\n\n${parts.summary}${request}`;
  const context: ContentBlock[] = parts.context === undefined ? [] : [{ type: "text", text: parts.context }];
  return { role: "user", uuid: parts.uuid, content: [...context, { type: "text", text }], isCompactSummary: true };
}
