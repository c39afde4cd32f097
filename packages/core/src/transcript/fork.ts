import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { messageOf, PawlError } from "../lib/error.ts";
import { readJsonLines } from "../lib/jsonl.ts";
import { isRecord } from "../messages/api-shape.ts";
import type { Transcript } from "./draft.ts";
import { claimFolder, type SessionPlace } from "./project-folder.ts";
import { readTranscript } from "./reader.ts";
import { type RawRecord, stringOf } from "./record.ts";

type ForkOptions = {
  /** The transcript to copy; it is only read. */
  from: string;
  /** Where the copy goes: a new session. */
  to: SessionPlace;
  /** The last message that is copied; all when left out. */
  upTo?: string;
  /** Default: the session's title, or one that says what it is, with `(fork)` after it. */
  title?: string;
  /** Milliseconds since the epoch. */
  now: () => number;
};

/**
 * Copies a session under a new id: every line gets a new uuid and remembers the old one. Subagents' lines, other metadata
 * and file checkpoints are not copied.
 *
 * @returns the place of the copy.
 * @throws PawlError `session_not_found` when there is no message `upTo`, `transcript_write`.
 */
export async function forkSession(options: ForkOptions): Promise<SessionPlace> {
  const plan = await planFork(options.from, options.upTo);
  const place = await claimFolder(options.to);
  const unfinished = `${place.file}.new`;
  try {
    const handle = await open(unfinished, "wx", 0o600);
    try {
      await writeFork(handle, plan, options);
    } finally {
      await handle.close();
    }
    await rename(unfinished, place.file);
    return place;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw new PawlError("transcript_write", `${place.file}: cannot write the copy: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** What must be known before the first line is written. */
type ForkPlan = {
  /** New uuids by old. */
  uuids: ReadonlyMap<string, string>;
  /** The parent of each line that is stepped over. */
  stepped: ReadonlyMap<string, string | null>;
  /** The parent of each message as the reader sees it, also where the one that is named is missing. */
  parents: ReadonlyMap<string, string | null>;
  /** Last line of the file that is looked at, and the last chain line up to there. */
  endLine: number;
  lastChainLine: number;
  title: string | undefined;
  replacements: readonly unknown[];
};

async function planFork(from: string, upTo: string | undefined): Promise<ForkPlan> {
  const uuids = new Map<string, string>();
  const stepped = new Map<string, string | null>();
  const replacements: unknown[] = [];
  let customTitle: string | undefined;
  let aiTitle: string | undefined;
  let lastChainLine = 0;
  let endLine = upTo === undefined ? Number.MAX_SAFE_INTEGER : 0;
  for await (const { line, record } of recordsOf(from)) {
    customTitle = record["type"] === "custom-title" ? stringOf(record["customTitle"]) : customTitle;
    aiTitle = record["type"] === "ai-title" ? stringOf(record["aiTitle"]) : aiTitle;
    if (record["type"] === "content-replacement" && Array.isArray(record["replacements"])) {
      replacements.push(...record["replacements"]);
    }
    const uuid = stringOf(record["uuid"]);
    if (uuid === undefined || (upTo !== undefined && endLine > 0)) continue;
    if (record["type"] === "progress") stepped.set(uuid, stringOf(record["parentUuid"]) ?? null);
    if (!isCopiedChainLine(record) || uuids.has(uuid)) continue;
    uuids.set(uuid, randomUUID());
    lastChainLine = line;
    if (uuid === upTo) endLine = line;
  }
  if (endLine === 0) throw new PawlError("session_not_found", `${from}: no message has the uuid ${upTo}`);
  const parents = parentsIn(await readTranscript(from));
  return { uuids, stepped, parents, endLine, lastChainLine, title: customTitle ?? aiTitle, replacements };
}

const parentsIn = ({ entries }: Transcript): ReadonlyMap<string, string | null> =>
  new Map(entries.flatMap((entry) => (entry.type === "message" ? [[entry.message.uuid, entry.parent]] : [])));

const CHAIN_TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "attachment"]);
const isCopiedChainLine = (record: RawRecord): boolean =>
  CHAIN_TYPES.has(record["type"]) && record["isSidechain"] !== true && stringOf(record["uuid"]) !== undefined;

async function* recordsOf(file: string): AsyncGenerator<{ line: number; record: RawRecord }> {
  for await (const { line, values } of readJsonLines(createReadStream(file))) {
    for (const record of values) if (isRecord(record)) yield { line, record };
  }
}

async function writeFork(handle: FileHandle, plan: ForkPlan, { from, to, title, now }: ForkOptions): Promise<void> {
  const timestamp = new Date(now()).toISOString();
  const write = (line: object) => handle.write(`${JSON.stringify(line)}\n`);
  const written = new Set<string>();
  for await (const { line, record } of recordsOf(from)) {
    if (line > plan.endLine && CHAIN_TYPES.has(record["type"])) break; // what is noted of the last message comes with it
    const copy = isCopiedChainLine(record) ? copiedLine(record, plan, to.sessionId) : copiedSide(record, plan, to);
    if (copy === undefined) continue;
    const uuid = stringOf(copy["uuid"]);
    if (uuid !== undefined && written.has(uuid)) continue;
    if (uuid !== undefined) written.add(uuid);
    // The line with the latest time is taken for the end of the conversation.
    await write(line === plan.lastChainLine && uuid !== undefined ? { ...copy, timestamp } : copy);
  }
  const own = { sessionId: to.sessionId, uuid: randomUUID(), timestamp };
  if (plan.replacements.length > 0) {
    await write({ type: "content-replacement", ...own, replacements: plan.replacements });
  }
  const customTitle = title ?? `${plan.title ?? "Forked session"} (fork)`;
  await write({ type: "custom-title", customTitle, ...own, uuid: randomUUID() });
}

function copiedLine(record: RawRecord, plan: ForkPlan, sessionId: string): RawRecord | undefined {
  const uuid = stringOf(record["uuid"]);
  const newUuid = uuid === undefined ? undefined : plan.uuids.get(uuid);
  if (uuid === undefined || newUuid === undefined) return undefined;
  const { teamName, agentName, slug, sourceToolAssistantUUID, ...kept } = record;
  const copy: Record<string, unknown> = {
    ...kept,
    uuid: newUuid,
    parentUuid: newUuidOf(record["parentUuid"], plan) ?? newUuidOf(plan.parents.get(uuid), plan),
    sessionId,
    isSidechain: false,
    forkedFrom: { sessionId: record["sessionId"] ?? null, messageUuid: uuid },
  };
  if ("logicalParentUuid" in record) copy["logicalParentUuid"] = newUuidOf(record["logicalParentUuid"], plan);
  if (isRecord(record["compactMetadata"])) copy["compactMetadata"] = withNewUuids(record["compactMetadata"], plan);
  return copy;
}

/** Of a line that is copied, or of the first one above it that is. */
function newUuidOf(uuid: unknown, plan: ForkPlan): string | null {
  const seen = new Set<string>();
  let at = stringOf(uuid);
  while (at !== undefined && plan.stepped.has(at) && !seen.has(at)) {
    seen.add(at);
    at = plan.stepped.get(at) ?? undefined;
  }
  return at === undefined ? null : (plan.uuids.get(at) ?? null);
}

/** Our own records say what the copied lines mean; only the writer's are left behind. */
function copiedSide(record: RawRecord, plan: ForkPlan, to: SessionPlace): RawRecord | undefined {
  if (record["type"] !== "pawl" || record["kind"] === "lease") return undefined;
  const copy: Record<string, unknown> = { ...record, sessionId: to.sessionId };
  for (const field of ["refs", "toUuid"]) if (field in record) copy[field] = withNewUuids(record[field], plan);
  const { replacement } = record;
  if (Array.isArray(replacement)) copy["replacement"] = replacement.map((line: unknown) => withNewUuid(line, plan));
  return copy;
}

const withNewUuid = (line: unknown, plan: ForkPlan): unknown =>
  isRecord(line) ? { ...line, uuid: withNewUuids(line["uuid"], plan) } : line;

/** `value` with each string that is the uuid of a copied line replaced by the new one; nested lists and objects too. */
function withNewUuids(value: unknown, plan: ForkPlan): unknown {
  if (typeof value === "string") return plan.uuids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => withNewUuids(item, plan));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([field, item]) => [field, withNewUuids(item, plan)]));
}
