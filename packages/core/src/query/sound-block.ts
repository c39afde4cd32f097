import type { ApiBlock } from "../messages/api-message.ts";
import { isRecord } from "../messages/api-shape.ts";
import { isTooDeep, jsonText } from "../messages/json-value.ts";
import { type ContentBlock, type ToolUseBlock, type ToolUseId, textOf } from "../messages/message.ts";

/** Longer names are refused by the API. Characters. */
const MAX_NAME_CHARS = 128;

/**
 * A block of an answer in a form that can be sent back: a call's id is of the API's alphabet and not used before, its name
 * could be a tool's, and nothing is nested too deeply to be written. Undefined for a text without any.
 */
export function soundBlock(block: ContentBlock, usedIds: Set<string>, mint: () => string): ContentBlock | undefined {
  if (isBlankText(block)) return undefined;
  const call = block.type === "other" ? brokenCall(block.raw) : block;
  if (call?.type === "tool_use") return soundCall(call, usedIds, mint);
  return block.type === "other" ? withoutDepth(block) : block;
}

function soundCall(call: ToolUseBlock, usedIds: Set<string>, mint: () => string): ToolUseBlock {
  const id = /^[a-zA-Z0-9_-]+$/.test(call.id) && !usedIds.has(call.id) ? call.id : mintedId(mint);
  usedIds.add(id);
  const name = soundName(call.name);
  const { extra, ...plain } = call;
  const isWhole = id === call.id && name === call.name && !isTooDeep(extra);
  const sound = isWhole ? call : { ...plain, id, name, ...(extra && !isTooDeep(extra) ? { extra } : {}) };
  return isTooDeep(call.input) ? { ...sound, input: {}, unparsedInput: "[input nested too deeply]" } : sound;
}

/** A call whose id, name or input is missing or of the wrong kind: it gets a result like any other, so that the model is told. */
function brokenCall({ type, id, name, input }: ApiBlock): ToolUseBlock | undefined {
  if (type !== "tool_use") return undefined;
  const isGiven = isRecord(input);
  return {
    type,
    id: (typeof id === "string" ? id : "") as ToolUseId,
    name: typeof name === "string" ? name : "",
    input: isGiven ? input : {},
    ...(isGiven || input === undefined ? {} : { unparsedInput: jsonText(input) }),
  };
}

function withoutDepth(block: Extract<ContentBlock, { type: "other" }>): ContentBlock | undefined {
  if (!isTooDeep(block.raw)) return block;
  const text = textOf([block]);
  return text === "" ? undefined : { type: "text", text };
}

/** Also one with citations, which is carried as another kind. */
const isBlankText = (block: ContentBlock) =>
  (block.type === "text" || (block.type === "other" && block.raw.type === "text")) && textOf([block]).trim() === "";

const mintedId = (mint: () => string) => `toolu_${mint().replace(/[^a-zA-Z0-9_-]/g, "")}` as ToolUseId;

/** No tool has the name that comes out, so that the call gets an error result. */
function soundName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return name;
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_CHARS) || "unnamed";
}
