import type { JournalEntry } from "../history/journal.ts";
import type { JsonLine, LineDamage } from "../lib/jsonl.ts";
import { isRecord } from "../messages/api-shape.ts";
import type { AssistantMessage, Message, Uuid } from "../messages/message.ts";
import { type Link, resolveParents } from "./chain.ts";
import { readMessageLine } from "./message-line.ts";
import type { Problem } from "./problem.ts";
import { numberOf, oneOf, type RawRecord, stringOf, stringsOf } from "./record.ts";
import { RECORD_VERSION, readSideRecord } from "./side-record.ts";

/** Problems beyond this many are counted and not kept. */
export const MAX_PROBLEMS = 1_000;

export type Transcript = {
  /** In file order; parents are conversational lines or null. */
  entries: JournalEntry[];
  /** null: neither the file's name nor any line says. */
  sessionId: string | null;
  problems: Problem[];
  problemCount: number;
  lines: number;
  /** The directory of the last conversational line. */
  cwd: string | null;
  /** Of the last writer that took the session; 0 when none said so. */
  fence: number;
};

type CompactEntry = Extract<JournalEntry, { type: "compact_boundary" }>;
type Boundary = { uuid: Uuid; record: RawRecord; line: number };

/** A transcript while it is read: entries in file order, their parents still as written. */
export class Draft {
  readonly #entries: JournalEntry[] = [];
  readonly #problems: Problem[] = [];
  #problemCount = 0;
  #lines = 0;
  #sessionId: string | null = null;
  #cwd: string | null = null;
  #fence = 0;
  /** Conversational lines by uuid, in file order. */
  readonly #links = new Map<string, Link>();
  /** Other chain lines, and messages that cannot be read: nothing but a way to their parent. */
  readonly #steps = new Map<string, Link>();
  /** Compaction marks whose summary has not come yet. */
  readonly #boundaries = new Map<string, Boundary>();
  readonly #summaryOf = new Map<string, string>();
  readonly #preserved: { entry: CompactEntry; head: string; tail: string }[] = [];
  /** The latest line of each answer of this turn. */
  readonly #answers = new Map<string, AssistantMessage>();

  take({ line, values, damage }: JsonLine): void {
    this.#lines = line;
    if (damage !== undefined) this.#report({ type: damage, line, message: damageText[damage] });
    for (const value of values) {
      if (!isRecord(value)) this.#report({ type: "not_a_record", line, message: "is not an object" });
      // What was saved from a damaged line may be a piece of a record: only what looks whole is taken.
      else if (damage !== "not_json" && damage !== "torn") this.#takeRecord(value, line);
      else if (stringOf(value["sessionId"]) !== undefined) this.#takeRecord(value, line);
    }
  }

  finish(sessionId: string | null): Transcript {
    this.#dropOpenBoundaries();
    const steps = [...this.#steps.values()].filter((step) => !this.#links.has(step.uuid));
    const parents = resolveParents([...this.#links.values(), ...steps], this.#summaryOf, (problem) =>
      this.#report(problem),
    );
    for (const entry of this.#entries) {
      if (entry.type === "message") entry.parent = (parents.get(entry.message.uuid) ?? null) as Uuid | null;
    }
    for (const { entry, head, tail } of this.#preserved) entry.kept = segment(parents, head, tail);
    return {
      entries: this.#entries,
      sessionId: sessionId ?? this.#sessionId,
      problems: this.#problems,
      problemCount: this.#problemCount,
      lines: this.#lines,
      cwd: this.#cwd,
      fence: this.#fence,
    };
  }

  #report(problem: Problem): void {
    this.#problemCount++;
    // Of newer records one is always kept: it decides whether the session may go on.
    const isFirstNewer = problem.type === "newer_record" && !this.#problems.some(({ type }) => type === problem.type);
    if (this.#problems.length < MAX_PROBLEMS || isFirstNewer) this.#problems.push(problem);
  }

  #takeRecord(record: RawRecord, line: number): void {
    this.#sessionId ??= stringOf(record["sessionId"]) ?? null;
    switch (record["type"]) {
      case "user":
      case "assistant":
        this.#takeMessage(record, line);
        break;
      case "system":
        if (record["subtype"] === "compact_boundary") this.#takeBoundary(record, line);
        else this.#step(record, line);
        break;
      case "pawl":
        this.#takeSide(record, line);
        break;
      case "permission-mode":
        this.#takeMode(record);
        break;
      default:
        this.#step(record, line);
    }
  }

  #takeMessage(record: RawRecord, line: number): void {
    const uuid = stringOf(record["uuid"]) ?? uuidOfLine(line);
    if (this.#links.has(uuid)) {
      this.#report({ type: "duplicate_uuid", line, message: `${uuid} was there before; the first one counts` });
      return;
    }
    const message = readMessageLine({ ...record, uuid });
    const isReadable = message !== undefined && message.content.length > 0;
    if (!isReadable) {
      this.#report({ type: "unreadable_message", line, message: `${uuid} holds no content that can be read` });
    }
    // An API error's line is the notice of a client, in the form of an answer.
    if (isReadable && record["isApiErrorMessage"] !== true) this.#addMessage(message, record, line);
    else this.#step({ ...record, uuid }, line);
  }

  #addMessage(message: Message, record: RawRecord, line: number): void {
    const isSidechain = record["isSidechain"] === true || typeof record["teamName"] === "string";
    const parent = record["parentUuid"] === null ? null : stringOf(record["parentUuid"]);
    const boundary = typeof parent === "string" ? this.#boundaries.get(parent) : undefined;
    const isSummary = message.role === "user" && message.isCompactSummary === true && boundary !== undefined;
    const role = isSummary ? "summary" : roleOf(message);
    this.#links.set(message.uuid, { uuid: message.uuid, parent, role, isSidechain, line });
    if (!isSidechain) this.#cwd = stringOf(record["cwd"]) ?? this.#cwd;
    if (isSummary) this.#addCompaction(boundary, message);
    else this.#addToChain(message, role, isSidechain);
  }

  #addToChain(message: Message, role: Link["role"], isSidechain: boolean): void {
    if (message.role === "assistant") this.#joinAnswer(message, isSidechain);
    else if (role === "prompt" && !isSidechain) this.#answers.clear();
    this.#entries.push({ type: "message", message, parent: null, isSidechain });
  }

  /** Other writers repeat the usage on every line of an answer: only the last one keeps it. */
  #joinAnswer(message: AssistantMessage, isSidechain: boolean): void {
    const key = JSON.stringify([message.id, message.requestId, isSidechain]);
    const before = this.#answers.get(key);
    if (before !== undefined) {
      message.usage ??= before.usage;
      message.stopReason ??= before.stopReason;
      before.usage = null;
      before.stopReason = null;
    }
    this.#answers.set(key, message);
  }

  #takeBoundary(record: RawRecord, line: number): void {
    const uuid = stringOf(record["uuid"]);
    if (uuid !== undefined) this.#boundaries.set(uuid, { uuid: uuid as Uuid, record, line });
  }

  #addCompaction({ uuid, record }: Boundary, summary: Extract<Message, { role: "user" }>): void {
    const metadata = isRecord(record["compactMetadata"]) ? record["compactMetadata"] : {};
    const kept = stringsOf(metadata["keptUuids"]);
    const entry: CompactEntry = {
      type: "compact_boundary",
      uuid,
      logicalParent: (stringOf(record["logicalParentUuid"]) ?? null) as Uuid | null,
      trigger: oneOf(["manual", "auto"], metadata["trigger"]) ?? "auto",
      preTokens: numberOf(metadata["preTokens"]) ?? 0,
      summary,
      kept: (kept ?? []) as Uuid[],
    };
    const preserved = metadata["preservedSegment"];
    const head = isRecord(preserved) ? stringOf(preserved["headUuid"]) : undefined;
    const tail = isRecord(preserved) ? stringOf(preserved["tailUuid"]) : undefined;
    if (kept === undefined && head !== undefined && tail !== undefined) this.#preserved.push({ entry, head, tail });
    this.#boundaries.delete(uuid);
    this.#summaryOf.set(uuid, summary.uuid);
    this.#entries.push(entry);
  }

  /** A compaction that was not finished changed nothing. */
  #dropOpenBoundaries(): void {
    for (const [uuid, { record, line }] of this.#boundaries) {
      this.#report({ type: "no_summary", line, message: `the compaction ${uuid} has no summary and does not count` });
      this.#step({ ...record, parentUuid: record["logicalParentUuid"] }, line);
    }
  }

  #takeSide(record: RawRecord, line: number): void {
    const version = numberOf(record["v"]) ?? RECORD_VERSION;
    const kind = stringOf(record["kind"]) ?? "no kind";
    if (version > RECORD_VERSION) {
      const message = `"${kind}" is of record version ${version}; this program knows ${RECORD_VERSION}`;
      this.#report({ type: "newer_record", line, message });
    }
    if (kind === "lease") this.#fence = Math.max(this.#fence, numberOf(record["fence"]) ?? 0);
    const read = readSideRecord(record);
    if (read.type === "entry") this.#entries.push(read.entry);
    else if (read.type === "incomplete" && version <= RECORD_VERSION) {
      this.#report({ type: "unreadable_record", line, message: `"${kind}" lacks a field or has one of a wrong type` });
    }
  }

  #takeMode(record: RawRecord): void {
    const mode = stringOf(record["permissionMode"]);
    if (mode !== undefined) this.#entries.push({ type: "state", part: "mode", value: mode });
  }

  #step(record: RawRecord, line: number): void {
    const uuid = stringOf(record["uuid"]);
    if (uuid === undefined) return;
    const parent = stringOf(record["parentUuid"]) ?? null;
    this.#steps.set(uuid, { uuid, parent, role: "step", isSidechain: record["isSidechain"] === true, line });
  }
}

const damageText: Record<LineDamage, string> = {
  not_json: "is not JSON",
  nul_bytes: "holds NUL bytes",
  too_long: "is too long and was skipped",
  torn: "is the last line and was not written to its end",
};

function roleOf(message: Message): Link["role"] {
  if (message.role === "assistant") return "answer";
  return message.content.some((block) => block.type === "tool_result") ? "result" : "prompt";
}

/** For a line without one: the same at each reading. */
const uuidOfLine = (line: number): string => `00000000-0000-4000-8000-${line.toString(16).padStart(12, "0")}`;

/** The lines from `head` to `tail`; only the tail when the head is not among its ancestors. */
function segment(parents: ReadonlyMap<string, string | null>, head: string, tail: string): Uuid[] {
  const uuids: string[] = [];
  for (let at: string | null | undefined = tail; at != null; at = parents.get(at)) {
    uuids.push(at);
    if (at === head) return uuids.reverse() as Uuid[];
  }
  return [tail as Uuid];
}
