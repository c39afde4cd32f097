import type { JournalEntry } from "../../src/history/journal.ts";
import { project } from "../../src/history/projection.ts";
import type {
  AssistantMessage,
  ContentBlock,
  ModelId,
  ToolUseId,
  UserMessage,
  Uuid,
} from "../../src/messages/message.ts";

export const text = (value: string): ContentBlock => ({ type: "text", text: value });
export const use = (id: string): ContentBlock => ({ type: "tool_use", id: id as ToolUseId, name: "Read", input: {} });
export const result = (id: string): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id as ToolUseId,
  content: `of ${id}`,
});
export const image: ContentBlock = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

type Fields<Of> = Partial<Omit<Of, "role" | "content" | "uuid">>;

/** A line of the user's; its uuid doubles as its text. */
export function asked(
  uuid: string,
  parent: string | null,
  content = [text(uuid)],
  fields: Fields<UserMessage> = {},
): JournalEntry {
  const message: UserMessage = { role: "user", uuid: uuid as Uuid, content, ...fields };
  return { type: "message", message, parent: parent as Uuid | null, isSidechain: false };
}

/** A line of an answer; its id is the uuid without the part behind a dot. */
export function said(
  uuid: string,
  parent: string | null,
  block = text(uuid),
  fields: Fields<AssistantMessage> = {},
): JournalEntry {
  const message: AssistantMessage = {
    role: "assistant",
    uuid: uuid as Uuid,
    id: uuid.split(".")[0] ?? uuid,
    model: "claude-sonnet-5" as ModelId,
    content: [block],
    stopReason: null,
    usage: null,
    ...fields,
  };
  return { type: "message", message, parent: parent as Uuid | null, isSidechain: false };
}

export const change = (op: string, refs: string[], replacement?: UserMessage[]): JournalEntry => ({
  type: "projection",
  op: op as "snip",
  refs,
  reason: "test",
  ...(replacement === undefined ? {} : { replacement }),
});
export const summaryOf = (uuid: string): UserMessage => ({
  role: "user",
  uuid: uuid as Uuid,
  content: [text(uuid)],
  isCompactSummary: true,
});
export const compacted = (uuid: string, logicalParent: string | null, kept: string[] = []): JournalEntry => ({
  type: "compact_boundary",
  uuid: `${uuid}-boundary` as Uuid,
  logicalParent: logicalParent as Uuid | null,
  trigger: "auto",
  preTokens: 1000,
  summary: summaryOf(uuid),
  kept: kept as Uuid[],
});
export const rewound = (to: string, fields: { undoOf?: string; scope?: "files" } = {}): JournalEntry => ({
  type: "rewind",
  to: to as Uuid,
  scope: "conversation",
  ...fields,
});

/** Each message as its role and its parts: texts as they are, calls and results as their ids. */
export const seen = (entries: JournalEntry[]) =>
  project(entries).map(({ role, content }) => [role, ...content.map(partOf)]);

export function partOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "tool_use") return `call ${block.id}`;
  return block.type === "tool_result" ? `result ${block.tool_use_id}` : block.type;
}
