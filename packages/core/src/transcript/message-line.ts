import { isRecord } from "../messages/api-shape.ts";
import { asJson } from "../messages/json-value.ts";
import {
  type AssistantMessage,
  type ContentBlock,
  type Message,
  type MessageOrigin,
  type ModelId,
  messageOrigins,
  type Provenance,
  type StopReason,
  stopReasons,
  type Usage,
  type UserMessage,
  type Uuid,
} from "../messages/message.ts";
import { fromApiBlock, fromApiUsage, toApiBlock, toApiUsage } from "../messages/normalize.ts";
import { oneOf, optional, type RawRecord, stringOf } from "./record.ts";

/** A message as a line of the transcript has it, without its place in a chain; and back. */

export type Line = { type: string; [field: string]: unknown };

/** What is kept beside a block and never sent: a line's `blockExtras` has one for each of its blocks, or null. */
type BlockExtras = { provenance?: Provenance; unparsedInput?: string };

export function messageLine(message: Message): Line {
  return message.role === "user" ? userLine(message) : assistantLine(message);
}

/** Undefined for what cannot be read as a message. Blocks that are none are left out. */
export function readMessageLine(line: RawRecord): Message | undefined {
  const uuid = stringOf(line["uuid"]);
  const message = line["message"];
  if (uuid === undefined || !isRecord(message)) return undefined;
  const content = readContent(message["content"], line["blockExtras"]);
  if (content === undefined) return undefined;
  if (line["type"] === "user") return readUser(uuid as Uuid, content, line);
  return line["type"] === "assistant" ? readAssistant(uuid as Uuid, content, message, line) : undefined;
}

function userLine(message: UserMessage): Line {
  const [first] = message.content;
  const isPlainText = message.content.length === 1 && first?.type === "text";
  return {
    type: "user",
    uuid: message.uuid,
    ...optional("isMeta", message.isMeta),
    ...optional("origin", message.origin),
    ...optional("isCompactSummary", message.isCompactSummary),
    ...optional("isVisibleInTranscriptOnly", message.isCompactSummary),
    ...optional("sourceToolAssistantUUID", message.sourceToolAssistantUuid),
    ...optional("toolDenialKind", message.toolDenialKind),
    message: { role: "user", content: isPlainText ? first.text : message.content.map(toApiBlock) },
    ...optional("toolUseResult", asJson(message.toolUseResult)),
  };
}

function readUser(uuid: Uuid, content: ContentBlock[], line: RawRecord): UserMessage {
  const source = stringOf(line["sourceToolAssistantUUID"]);
  return {
    role: "user",
    uuid,
    content,
    ...optional("isMeta", line["isMeta"] === true ? true : undefined),
    ...optional("origin", readOrigin(line["origin"])),
    ...optional("isCompactSummary", line["isCompactSummary"] === true ? true : undefined),
    ...optional("sourceToolAssistantUuid", source as Uuid | undefined),
    ...optional("toolDenialKind", oneOf(["user-rejected", "rule", "mode", "host"], line["toolDenialKind"])),
    ...optional("toolUseResult", line["toolUseResult"]),
  };
}

function readOrigin(value: unknown): MessageOrigin | undefined {
  const kind = isRecord(value) ? oneOf(messageOrigins, value["kind"]) : undefined;
  return kind === undefined ? undefined : { kind };
}

function assistantLine(message: AssistantMessage): Line {
  const extras = message.content.map(extrasOf);
  return {
    type: "assistant",
    uuid: message.uuid,
    ...optional("requestId", message.requestId),
    message: {
      id: message.id,
      type: "message",
      role: "assistant",
      model: message.model,
      content: message.content.map(toApiBlock),
      stop_reason: message.stopReason,
      stop_sequence: null,
      ...optional("usage", message.usage === null ? undefined : toApiUsage(message.usage)),
    },
    ...(extras.some((extra) => extra !== null) ? { blockExtras: extras } : {}),
  };
}

function readAssistant(uuid: Uuid, content: ContentBlock[], message: RawRecord, line: RawRecord): AssistantMessage {
  return {
    role: "assistant",
    uuid,
    id: stringOf(message["id"]) ?? uuid,
    ...optional("requestId", stringOf(line["requestId"])),
    model: (stringOf(message["model"]) ?? "unknown") as ModelId,
    content,
    stopReason: readStopReason(message["stop_reason"]),
    usage: readUsage(message["usage"]),
  };
}

function readStopReason(value: unknown): StopReason | null {
  if (typeof value !== "string") return null;
  return oneOf(stopReasons, value) ?? "unknown";
}

/** null: there is none. A field that is missing counts nothing. */
export const readUsage = (value: unknown): Usage | null => (isRecord(value) ? fromApiUsage(value) : null);

function extrasOf(block: ContentBlock): BlockExtras | null {
  if (block.type === "thinking" || block.type === "redacted_thinking") {
    return block.provenance === undefined ? null : { provenance: block.provenance };
  }
  if (block.type !== "tool_use" || block.unparsedInput === undefined) return null;
  return { unparsedInput: block.unparsedInput };
}

function readContent(content: unknown, extras: unknown): ContentBlock[] | undefined {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return undefined;
  return content.map((raw: unknown, index) => readBlock(raw, Array.isArray(extras) ? extras[index] : null));
}

function readBlock(raw: unknown, extra: unknown): ContentBlock {
  if (!isRecord(extra)) return fromApiBlock(raw);
  const block = fromApiBlock(raw, readProvenance(extra["provenance"]));
  const unparsedInput = stringOf(extra["unparsedInput"]);
  return block.type === "tool_use" && unparsedInput !== undefined ? { ...block, unparsedInput } : block;
}

function readProvenance(value: unknown): Provenance | undefined {
  if (!isRecord(value)) return undefined;
  const provider = stringOf(value["provider"]);
  const model = stringOf(value["model"]);
  return provider === undefined || model === undefined ? undefined : { provider, model: model as ModelId };
}
