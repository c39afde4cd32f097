import type { ContentBlock, Message, UserMessage } from "../messages/message.ts";
import { addLine, type Group, uuidOf } from "./join.ts";
import type { JournalEntry } from "./journal.ts";
import type { Boundary } from "./lines.ts";

type ProjectionEntry = Extract<JournalEntry, { type: "projection" }>;

const CLEARED_RESULT = "[This tool result was cleared to make room.]";

/**
 * The messages of a conversation while its journal is read from the start: groups of lines, changed as the entries say.
 *
 * `refs` name lines or messages by uuid; those of `clear_results` and `strip_media` may name tool uses instead. A ref to a line
 * of an answer means the whole answer, and a ref to a message's own uuid the whole message; but a tombstone takes just the
 * user's lines it names. An entry whose refs are not on this branch changes nothing.
 */
export class Replay {
  #groups: Group[] = [];
  /** The group that each line is in now. */
  readonly #groupOf = new Map<string, Group>();

  get groups(): readonly Group[] {
    return this.#groups;
  }

  add(line: Message): void {
    this.#groupOf.set(line.uuid, addLine(this.#groups, line));
  }

  /** The summary takes the place of all but the kept messages; each of those is kept whole. */
  compact({ summary, kept }: Boundary): void {
    const wanted = new Set(kept.map((uuid) => this.#groupOf.get(uuid)));
    const before = this.#groups.filter((group) => wanted.has(group));
    this.#groups = [];
    this.add(summary);
    this.#groups.push(...before);
  }

  change(entry: ProjectionEntry): void {
    const { op, refs, replacement } = entry;
    if (op === "clear") this.#clear(replacement ?? []);
    else if (op === "clear_results" && replacement === undefined) this.#changeBlocks(refs, clearedResult);
    else if (op === "strip_media" && replacement === undefined) this.#changeBlocks(refs, withoutMedia);
    else this.#replace(entry);
  }

  #clear(replacement: readonly Message[]): void {
    this.#groups = [];
    for (const message of replacement) this.add(message);
  }

  /** A replacement with the uuid of what it replaces stands in its place; all others stand where the first of it stood. */
  #replace({ op, refs, replacement = [] }: ProjectionEntry): void {
    const wanted = new Set(refs);
    const named = new Set(refs.flatMap((ref) => this.#groupOf.get(ref) ?? []));
    const touched = new Set(this.#groups.filter((group) => named.has(group)));
    const [first] = touched;
    const placeOf = ({ uuid }: Message) => {
      const own = wanted.has(uuid) ? this.#groupOf.get(uuid) : undefined;
      return own !== undefined && touched.has(own) ? own : first;
    };
    this.#groups = this.#groups.flatMap((group) => {
      if (!touched.has(group)) return [group];
      const replaced = replacement
        .filter((message) => placeOf(message) === group)
        .map((message) => addLine([], message));
      const groups = [...replaced, ...linesLeft(group, wanted, op)];
      this.#regroup(group, groups);
      return groups;
    });
  }

  /** Lines that are gone are found, for later refs, in what took their place. */
  #regroup(old: Group, groups: readonly Group[]): void {
    const heir = groups.at(-1);
    if (heir !== undefined) for (const { uuid } of old.lines) this.#groupOf.set(uuid, heir);
    for (const group of groups) for (const { uuid } of group.lines) this.#groupOf.set(uuid, group);
  }

  #changeBlocks(refs: readonly string[], change: (block: ContentBlock) => ContentBlock): void {
    const wanted = new Set(refs);
    for (const group of this.#groups) {
      if (group.role !== "user") continue;
      const isWhole = wanted.has(uuidOf(group));
      for (const [index, line] of group.lines.entries()) {
        group.lines[index] = changedLine(line, isWhole || wanted.has(line.uuid), wanted, change);
      }
    }
  }
}

/** What a change leaves of a group that it names: nothing of an answer; of the user's lines those it does not mean. */
function linesLeft(group: Group, refs: ReadonlySet<string>, op: ProjectionEntry["op"]): Group[] {
  if (group.role === "assistant" || (op !== "tombstone" && refs.has(uuidOf(group)))) return [];
  const [first, ...rest] = group.lines.filter(({ uuid }) => !refs.has(uuid));
  return first === undefined ? [] : [{ role: "user", lines: [first, ...rest] }];
}

function changedLine(
  line: UserMessage,
  isWhole: boolean,
  toolUses: ReadonlySet<string>,
  change: (block: ContentBlock) => ContentBlock,
): UserMessage {
  const isMeant = (block: ContentBlock) => isWhole || (block.type === "tool_result" && toolUses.has(block.tool_use_id));
  if (!line.content.some(isMeant)) return line;
  return { ...line, content: line.content.map((block) => (isMeant(block) ? change(block) : block)) };
}

const clearedResult = (block: ContentBlock): ContentBlock =>
  block.type === "tool_result" ? { ...block, content: CLEARED_RESULT } : block;

function withoutMedia(block: ContentBlock): ContentBlock {
  if (block.type === "tool_result" && typeof block.content !== "string") {
    return { ...block, content: block.content.map(withoutMedia) };
  }
  const kind = block.type === "other" ? block.raw.type : block.type;
  return kind === "image" || kind === "document" ? { type: "text", text: `[${kind} left out]` } : block;
}
