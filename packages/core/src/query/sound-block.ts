import { type ContentBlock, type ToolUseId, textOf } from "../messages/message.ts";

/** Longer names are refused by the API. Characters. */
const MAX_NAME_CHARS = 128;

/**
 * A block of an answer in a form that can be sent back: a call's id is of the API's alphabet and not used before, its name
 * could be a tool's, and its input can be written. Undefined for a text without any.
 */
export function soundBlock(block: ContentBlock, usedIds: Set<string>, mint: () => string): ContentBlock | undefined {
  if (isBlankText(block)) return undefined;
  if (block.type !== "tool_use") return block;
  const id = /^[a-zA-Z0-9_-]+$/.test(block.id) && !usedIds.has(block.id) ? block.id : mintedId(mint);
  usedIds.add(id);
  const name = soundName(block.name);
  const sound = id === block.id && name === block.name ? block : { ...block, id, name };
  return canBeWritten(block.input) ? sound : { ...sound, input: {}, unparsedInput: "[input nested too deeply]" };
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

/** JSON that is nested thousands of levels deep can be read but not written. */
function canBeWritten(input: unknown): boolean {
  try {
    return JSON.stringify(input) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
