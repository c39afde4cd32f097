import type { ApiBlock, ApiMessage, ApiUsage } from "./api-message.ts";
import { isBlock, isRecord } from "./api-shape.ts";
import { jsonText } from "./json-value.ts";
import type { ContentBlock, Message, Provenance, ToolResultBlock, ToolUseBlock, ToolUseId, Usage } from "./message.ts";

/** Between the engine's form of a message and the API's. */

/** Role and content only: what is kept beside them never leaves the engine. */
export function toApiMessage(message: Message): ApiMessage {
  return { role: message.role, content: message.content.map(toApiBlock) };
}

export function toApiBlock(block: ContentBlock): ApiBlock {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return { type: "thinking", thinking: block.thinking, signature: block.signature };
    case "redacted_thinking":
      return { type: "redacted_thinking", data: block.data };
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input, ...block.extra };
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: block.tool_use_id,
        content: typeof block.content === "string" ? block.content : block.content.map(toApiBlock),
        ...(block.is_error === undefined ? {} : { is_error: block.is_error }),
        ...block.extra,
      };
    case "image":
    case "document": {
      const { media_type, data } = block.source;
      return { type: block.type, source: { type: "base64", media_type, data } };
    }
    case "other":
      return block.raw;
    default:
      return block satisfies never;
  }
}

/** A string is one text block. What is neither a string nor a list is no content. */
export function fromApiContent(raw: unknown, provenance?: Provenance): ContentBlock[] {
  if (typeof raw === "string") return raw === "" ? [] : [{ type: "text", text: raw }];
  return Array.isArray(raw) ? raw.map((block) => fromApiBlock(block, provenance)) : [];
}

/**
 * A block as the engine knows it. Unknown kinds, and text, thinking and media with unknown fields, are carried through whole
 * as `other`. What is no block at all becomes text, so that nothing is lost.
 */
export function fromApiBlock(raw: unknown, provenance?: Provenance): ContentBlock {
  if (!isBlock(raw)) return { type: "text", text: typeof raw === "string" ? raw : jsonText(raw) };
  return knownBlock(raw, provenance) ?? { type: "other", raw };
}

function knownBlock(raw: ApiBlock, provenance: Provenance | undefined): ContentBlock | undefined {
  const made = provenance === undefined ? {} : { provenance };
  const { type, text, thinking, signature, data } = raw;
  switch (type) {
    case "text":
      if (typeof text !== "string" || !hasOnly(raw, ["type", "text"], ["citations"])) return undefined;
      return { type, text };
    case "thinking":
      if (typeof thinking !== "string" || typeof signature !== "string") return undefined;
      return hasOnly(raw, ["type", "thinking", "signature"]) ? { type, thinking, signature, ...made } : undefined;
    case "redacted_thinking":
      if (typeof data !== "string" || !hasOnly(raw, ["type", "data"])) return undefined;
      return { type, data, ...made };
    case "tool_use":
      return toolUse(raw);
    case "tool_result":
      return toolResult(raw);
    case "image":
    case "document":
      return media(type, raw);
    default:
      return undefined;
  }
}

function toolUse(raw: ApiBlock): ToolUseBlock | undefined {
  const { type: _type, id, name, input, ...extra } = raw;
  if (typeof id !== "string" || typeof name !== "string" || !isRecord(input)) return undefined;
  return { type: "tool_use", id: id as ToolUseId, name, input, ...extraFields(extra) };
}

function toolResult(raw: ApiBlock): ToolResultBlock | undefined {
  const { type: _type, tool_use_id, content, is_error, ...extra } = raw;
  if (typeof tool_use_id !== "string") return undefined;
  if (content !== undefined && typeof content !== "string" && !Array.isArray(content)) return undefined;
  if (is_error !== undefined && typeof is_error !== "boolean") return undefined;
  return {
    type: "tool_result",
    tool_use_id: tool_use_id as ToolUseId,
    content: typeof content === "string" ? content : fromApiContent(content),
    ...(is_error === undefined ? {} : { is_error }),
    ...extraFields(extra),
  };
}

function media(type: "image" | "document", raw: ApiBlock): ContentBlock | undefined {
  const { source } = raw;
  if (!isRecord(source) || source["type"] !== "base64" || !hasOnly(raw, ["type", "source"])) return undefined;
  const { media_type, data } = source;
  if (typeof media_type !== "string" || typeof data !== "string") return undefined;
  if (!hasOnly(source, ["type", "media_type", "data"])) return undefined;
  if (type === "image") return { type, source: { type: "base64", media_type, data } };
  if (media_type !== "application/pdf") return undefined;
  return { type, source: { type: "base64", media_type, data } };
}

/** Whether `raw` has no field beyond `known`, save such as hold null or nothing and are in `ifEmpty`. */
function hasOnly(raw: Record<string, unknown>, known: readonly string[], ifEmpty: readonly string[] = []): boolean {
  return Object.keys(raw).every((key) => known.includes(key) || (ifEmpty.includes(key) && isNothing(raw[key])));
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const extraFields = (extra: Record<string, unknown>) => (Object.keys(extra).length === 0 ? {} : { extra });

export function toApiUsage(usage: Usage): ApiUsage {
  return {
    input_tokens: usage.input,
    output_tokens: usage.output,
    cache_creation_input_tokens: usage.cacheWrite5m + usage.cacheWrite1h,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: {
      ephemeral_5m_input_tokens: usage.cacheWrite5m,
      ephemeral_1h_input_tokens: usage.cacheWrite1h,
    },
    ...(usage.thinking === undefined ? {} : { output_tokens_details: { thinking_tokens: usage.thinking } }),
  };
}

/** What is missing or no count is 0. Cache writes of unknown lifetime are taken for the short one, the provider's default. */
export function fromApiUsage(raw: unknown): Usage {
  const usage = isRecord(raw) ? raw : {};
  const split = isRecord(usage["cache_creation"]) ? usage["cache_creation"] : {};
  const details = isRecord(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  const cacheWrite1h = tokens(split["ephemeral_1h_input_tokens"]);
  const cacheWrites = tokens(usage["cache_creation_input_tokens"]);
  return {
    input: tokens(usage["input_tokens"]),
    output: tokens(usage["output_tokens"]),
    cacheRead: tokens(usage["cache_read_input_tokens"]),
    cacheWrite5m: Math.max(tokens(split["ephemeral_5m_input_tokens"]), cacheWrites - cacheWrite1h),
    cacheWrite1h,
    ...(typeof details["thinking_tokens"] === "number" ? { thinking: tokens(details["thinking_tokens"]) } : {}),
  };
}

/** More than can be counted is no count: sums and prices of it would be infinite. */
const tokens = (value: unknown): number =>
  typeof value === "number" && value > 0 && value <= Number.MAX_SAFE_INTEGER ? value : 0;
