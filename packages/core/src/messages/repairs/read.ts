import type { ApiBlock, ApiMessage } from "../api-message.ts";
import {
  isBlank,
  isBlock,
  isMedia,
  isRecord,
  isServerToolResult,
  isServerToolUse,
  isThinking,
  shown,
} from "../api-shape.ts";
import { isBlankText, isResultContent, resultFault } from "../block-faults.ts";
import { asJson, jsonText } from "../json-value.ts";
import { mediaFault } from "../media/media-fault.ts";
import { type MediaLimits, mediaLimits, type RuleOptions } from "../rule-options.ts";
import { type Draft, type RepairLog, type Role, textBlock } from "./draft.ts";
import { stubbed } from "./media.ts";

/** The first step: whatever was given becomes messages of blocks, each block right by itself (rules 2, 3, 6, 9, 10). */

const EMPTY_RESULT = "(no output)";
const EMPTY_ERROR = "(the tool failed and gave no reason)";

export function readDrafts(messages: unknown, options: RuleOptions, log: RepairLog): Draft[] {
  if (!Array.isArray(messages)) {
    log.add(3, "messages", "taken for an empty list: it was no list");
    return [];
  }
  const limits = mediaLimits(options);
  return Array.from(messages).flatMap((message: unknown, index) => {
    const at = `messages[${index}]`;
    if (isRecord(message)) return [readDraft(message, at, limits, log)];
    log.add(3, at, "dropped: it was no message");
    return [];
  });
}

function readDraft(message: Record<string, unknown>, at: string, limits: MediaLimits, log: RepairLog): Draft {
  const given = message["content"];
  const role = readRole(message["role"], at, log);
  const content = Array.from(readContent(given, `${at}.content`, log));
  const blocks = content.flatMap((raw, index) => {
    const path = typeof given === "string" ? `${at}.content` : `${at}.content[${index}]`;
    return readBlock(raw, path, role, limits, log) ?? [];
  });
  const isAsGiven =
    typeof given === "string" ? blocks.length === 1 && blocks[0]?.["text"] === given : isSame(blocks, given);
  const isChanged = role !== message["role"] || !isAsGiven;
  return { at, role, source: message as ApiMessage, blocks, isChanged };
}

function readRole(role: unknown, at: string, log: RepairLog): Role {
  if (role === "user" || role === "assistant") return role;
  log.add(2, at, `taken for the user's: its role was ${shown(role).toWellFormed()}`);
  return "user";
}

function readContent(content: unknown, at: string, log: RepairLog): readonly unknown[] {
  if (typeof content === "string") return [textBlock(content)];
  if (Array.isArray(content)) return content;
  if (isBlock(content)) {
    log.add(3, at, "put into a list: it was one block");
    return [content];
  }
  log.add(3, at, "dropped: it was neither text nor a list of blocks");
  return [];
}

/** The block, another in its place, or undefined when nothing is left of it. */
function readBlock(raw: unknown, at: string, role: Role, limits: MediaLimits, log: RepairLog): ApiBlock | undefined {
  const block = readShape(raw, at, log);
  if (block === undefined) return undefined;
  log.place(block, at);
  if (isThinking(block)) return readThinking(block, role, log);
  const clean = wellFormed(block, log);
  if (isBlankText(clean)) return dropped(clean, 3, "dropped: an empty text", log);
  if (isMedia(clean)) return readMedia(clean, limits, log);
  if (clean.type === "tool_result") return readResult(clean, limits, log);
  return role === "user" ? readForUser(clean, log) : clean;
}

function readShape(raw: unknown, at: string, log: RepairLog): ApiBlock | undefined {
  if (isBlock(raw)) return raw;
  const text = isRecord(raw) ? raw["text"] : raw;
  if (typeof text === "string" && !isBlank(text)) {
    log.add(3, at, "made a text block: it was a bare text");
    return textBlock(text);
  }
  log.add(3, at, "dropped: it was no block");
  return undefined;
}

// Thinking is never mended: it goes back as it came or not at all. That is for the answer's own step.
function readThinking(block: ApiBlock, role: Role, log: RepairLog): ApiBlock | undefined {
  return role === "user" ? dropped(block, 7, "dropped: thinking in a user message", log) : block;
}

function wellFormed(block: ApiBlock, log: RepairLog): ApiBlock {
  const clean = asJson(block);
  if (clean === block || !isBlock(clean)) return block;
  log.on(block, 10, "made valid JSON in valid UTF-8", clean);
  return clean;
}

function readMedia(block: ApiBlock, limits: MediaLimits, log: RepairLog): ApiBlock {
  const fault = mediaFault(block, limits);
  if (fault === undefined) return block;
  const { source } = block;
  if (fault.reallyIs === undefined || !isRecord(source)) return stubbed(block, 9, fault.why, log);
  const relabelled = { ...block, source: { ...source, media_type: fault.reallyIs } };
  log.on(block, 9, `declared as ${fault.reallyIs}, which it is`, relabelled);
  return relabelled;
}

function readForUser(block: ApiBlock, log: RepairLog): ApiBlock | undefined {
  if (isServerToolUse(block) || isServerToolResult(block)) {
    return dropped(block, 8, "dropped: a server tool's block in a user message", log);
  }
  if (block.type !== "tool_use") return block;
  const text = textBlock(`[A tool call that stood in a user message: ${jsonText(block)}]`);
  log.on(block, 4, "made a text: a tool use in a user message", text);
  return text;
}

function readResult(block: ApiBlock, limits: MediaLimits, log: RepairLog): ApiBlock {
  const content = readResultContent(block, limits, log);
  const flagged = typeof block["is_error"] === "boolean" || block["is_error"] === undefined;
  if (content === block["content"] && flagged) return block;
  const fault = resultFault(block);
  const fixed = { ...block, content, ...(flagged ? {} : { is_error: Boolean(block["is_error"]) }) };
  if (fault !== undefined) log.on(block, 6, `mended ${fault}`, fixed);
  else log.place(fixed, log.placeOf(block));
  return fixed;
}

function readResultContent(block: ApiBlock, limits: MediaLimits, log: RepairLog): unknown {
  const { content, is_error } = block;
  const placeholder = is_error === true ? EMPTY_ERROR : EMPTY_RESULT;
  if (content === undefined || content === null) return placeholder;
  if (typeof content === "string") return isBlank(content) ? placeholder : content;
  if (!Array.isArray(content)) return jsonText(content);
  const at = `${log.placeOf(block)}.content`;
  const inner = Array.from(content).flatMap((raw, index) => readInner(raw, `${at}[${index}]`, limits, log) ?? []);
  if (inner.length === 0) return placeholder;
  return isSame(inner, content) ? content : inner;
}

function readInner(raw: unknown, at: string, limits: MediaLimits, log: RepairLog): ApiBlock | undefined {
  const block = readShape(raw, at, log);
  if (block === undefined) return undefined;
  log.place(block, at);
  if (isBlankText(block)) return dropped(block, 3, "dropped: an empty text", log);
  if (isMedia(block)) return readMedia(block, limits, log);
  return isResultContent(block) ? block : textBlock(jsonText(block));
}

function dropped(block: ApiBlock, rule: number, did: string, log: RepairLog): undefined {
  log.on(block, rule, did);
}

const isSame = (blocks: readonly ApiBlock[], given: unknown): boolean =>
  Array.isArray(given) && blocks.length === given.length && blocks.every((block, index) => block === given[index]);
