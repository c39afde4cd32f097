import type { JournalEntry, QuerySource } from "../history/journal.ts";
import { isRecord } from "../messages/api-shape.ts";
import { asJson } from "../messages/json-value.ts";
import type { ModelId, ToolUseId, Uuid } from "../messages/message.ts";
import { toApiUsage } from "../messages/normalize.ts";
import { type Line, messageLine, readMessageLine, readUsage } from "./message-line.ts";
import { numberOf, oneOf, optional, type RawRecord, stringOf, stringsOf } from "./record.ts";

/** The entries that the public form has no line for: `{"type":"pawl","kind":…}`, which public readers skip. */

/** A record with a higher `v` was written by a newer version of this program. */
export const RECORD_VERSION = 1;

type SideEntry = Exclude<JournalEntry, { type: "message" | "compact_boundary" }>;

export function sideRecord(entry: SideEntry, sessionId: string, timestamp: string): Line {
  return { type: "pawl", kind: entry.type, sessionId, timestamp, ...fieldsOf(entry) };
}

type ReadSide = { type: "entry"; entry: SideEntry } | { type: "unknown_kind" } | { type: "incomplete" };

export function readSideRecord(record: RawRecord): ReadSide {
  const kind = oneOf(KINDS, record["kind"]);
  if (kind === undefined) return { type: "unknown_kind" };
  const entry = readers[kind](record);
  return entry === undefined ? { type: "incomplete" } : { type: "entry", entry };
}

function fieldsOf(entry: SideEntry): Record<string, unknown> {
  switch (entry.type) {
    case "decision": {
      const { type: because, source, ...rest } = entry.because;
      const { toolUseId, behavior, mode } = entry;
      const named = because === "hook" ? optional("hook", source) : optional("source", source);
      return { toolUseId, behavior, ...optional("mode", mode), because, ...rest, ...named };
    }
    case "ledger": {
      const { type: _, usage, ...rest } = entry;
      return { ...rest, usage: toApiUsage(usage) };
    }
    case "projection": {
      const { op, refs, reason, replacement } = entry;
      return { op, refs, ...optional("replacement", replacement?.map(messageLine)), reason };
    }
    case "rewind": {
      const { type: _, to, ...rest } = entry;
      return { toUuid: to, ...rest };
    }
    case "state":
      return { part: entry.part, value: asJson(entry.value ?? null) };
    default: {
      const { type: _, ...rest } = entry;
      return rest;
    }
  }
}

type Reader<Kind extends SideEntry["type"]> = (record: RawRecord) => Extract<SideEntry, { type: Kind }> | undefined;

const readers: { [Kind in SideEntry["type"]]: Reader<Kind> } = {
  intent(record) {
    const toolUseId = toolUseIdOf(record);
    const tool = stringOf(record["tool"]);
    const inputHash = stringOf(record["inputHash"]);
    const effect = oneOf(["edit", "other"], record["effect"]);
    if (!toolUseId || tool === undefined || inputHash === undefined || !effect) return undefined;
    return { type: "intent", toolUseId, tool, inputHash, effect, ...optional("before", hashesOf(record["before"])) };
  },
  outcome(record) {
    const toolUseId = toolUseIdOf(record);
    const status = oneOf(["done", "failed", "denied", "cancelled", "unknown"], record["status"]);
    if (!toolUseId || !status) return undefined;
    return { type: "outcome", toolUseId, status, ...optional("after", hashesOf(record["after"])) };
  },
  question(record) {
    const toolUseId = toolUseIdOf(record);
    const input = record["input"];
    if (!toolUseId || !isRecord(input)) return undefined;
    const given = record["suggestions"];
    const suggestions = optional("suggestions", Array.isArray(given) ? given : undefined);
    return { type: "question", toolUseId, input: { ...input }, ...suggestions };
  },
  answer(record) {
    const toolUseId = toolUseIdOf(record);
    const behavior = oneOf(["allow", "deny"], record["behavior"]);
    const by = stringOf(record["by"]);
    return toolUseId && behavior && by !== undefined ? { type: "answer", toolUseId, behavior, by } : undefined;
  },
  decision(record) {
    const toolUseId = toolUseIdOf(record);
    const behavior = oneOf(["allow", "ask", "deny"], record["behavior"]);
    const type = stringOf(record["because"]);
    const reason = stringOf(record["reason"]);
    if (!toolUseId || !behavior || type === undefined || reason === undefined) return undefined;
    const rule = optional("rule", stringOf(record["rule"]));
    const source = optional("source", stringOf(record["hook"]) ?? stringOf(record["source"]));
    const mode = optional("mode", stringOf(record["mode"]));
    return { type: "decision", toolUseId, behavior, ...mode, because: { type, ...rule, ...source, reason } };
  },
  ledger(record) {
    const responseId = stringOf(record["responseId"]);
    const attempt = numberOf(record["attempt"]);
    const status = oneOf(["ok", "retried", "cancelled", "failed"], record["status"]);
    const model = stringOf(record["model"]);
    const usage = readUsage(record["usage"]);
    const source = oneOf(QUERY_SOURCES, record["source"]);
    if (responseId === undefined || attempt === undefined || !status || model === undefined) return undefined;
    if (usage === null || !source) return undefined;
    return {
      type: "ledger",
      responseId,
      ...optional("requestId", stringOf(record["requestId"])),
      attempt,
      status,
      model: model as ModelId,
      usage,
      costUsd: numberOf(record["costUsd"]) ?? null,
      source,
    };
  },
  transition(record) {
    const transition = record["transition"];
    if (!isRecord(transition)) return undefined;
    const type = stringOf(transition["type"]);
    return type === undefined ? undefined : { type: "transition", transition: { ...transition, type } };
  },
  projection(record) {
    const op = oneOf(PROJECTION_OPS, record["op"]);
    const refs = stringsOf(record["refs"]);
    const reason = stringOf(record["reason"]);
    if (!op || !refs || reason === undefined) return undefined;
    return { type: "projection", op, refs, ...optional("replacement", messagesOf(record["replacement"])), reason };
  },
  rewind(record) {
    const to = stringOf(record["toUuid"]);
    const scope = oneOf(["conversation", "files", "both"], record["scope"]);
    if (to === undefined || !scope) return undefined;
    return { type: "rewind", to: to as Uuid, scope, ...optional("undoOf", stringOf(record["undoOf"])) };
  },
  state(record) {
    const part = stringOf(record["part"]);
    return part === undefined || !("value" in record) ? undefined : { type: "state", part, value: record["value"] };
  },
};

const KINDS = Object.keys(readers) as SideEntry["type"][];

const QUERY_SOURCES = [
  "main",
  "sdk",
  "subagent",
  "compact",
  "notes",
  "hook",
  "side",
] as const satisfies readonly QuerySource[];

const PROJECTION_OPS = [
  "clear_results",
  "collapse",
  "snip",
  "strip_media",
  "tombstone",
  "repair",
  "clear",
] as const satisfies readonly Extract<SideEntry, { type: "projection" }>["op"][];

const toolUseIdOf = (record: RawRecord) => stringOf(record["toolUseId"]) as ToolUseId | undefined;

function messagesOf(value: unknown) {
  if (!Array.isArray(value)) return undefined;
  return value.flatMap((line: unknown) => (isRecord(line) ? (readMessageLine(line) ?? []) : []));
}

/** Content hashes by path; null for a file that was not there. */
function hashesOf(value: unknown): Record<string, string | null> | undefined {
  if (!isRecord(value)) return undefined;
  const isHash = (field: [string, unknown]): field is [string, string | null] =>
    typeof field[1] === "string" || field[1] === null;
  return Object.fromEntries(Object.entries(value).filter(isHash));
}
