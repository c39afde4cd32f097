import type { ApiBlock } from "../api-message.ts";
import { isRecord, shown } from "../api-shape.ts";
import { isToolName, isToolUseId } from "../block-faults.ts";
import { jsonText, parseRecord } from "../json-value.ts";
import { MAX_TOOL_NAME_CHARS, type RuleOptions } from "../rule-options.ts";
import { type Draft, mintedUser, type RepairLog, setBlocks } from "./draft.ts";
import { joinTurns } from "./turns.ts";

/**
 * Rules 4 and 5: every call gets exactly one result in the next user message, in the order of the calls and in front of all
 * else; ids are unique. Takes messages that alternate and gives such.
 */

const INTERRUPTED = "The tool call was interrupted before it gave a result.";

type Use = { draft: number; block: ApiBlock; result?: Result };
type Result = { draft: number; block: ApiBlock; isTaken: boolean };

export function repairToolPairs(drafts: Draft[], options: RuleOptions, log: RepairLog): Draft[] {
  const uses = drafts.map(usesOf);
  const results = drafts.map(resultsOf);
  matchNeighbours(uses, results);
  matchRest(uses, results);
  const ids = new UniqueIds(uses.flat());
  const closed = drafts.at(-1)?.role === "assistant" ? [...drafts, mintedUser(drafts.at(-1)?.at ?? "", [])] : drafts;
  closed.forEach((draft, index) => {
    if (draft.role === "user") return;
    const next = closed[index + 1];
    const mine = uses[index] ?? [];
    const isOpenEnd = options.as !== "request" && index === drafts.length - 1 && mine.every(({ result }) => !result);
    const pairs = mine.map((use) => repairPair(use, isOpenEnd, ids, log));
    replaceUses(draft, pairs);
    if (next !== undefined && !isOpenEnd) giveResults(next, index + 1, mine, pairs, log);
  });
  const first = closed[0];
  if (first?.role === "user") giveResults(first, 0, [], [], log);
  for (const result of results.flat()) {
    if (!result.isTaken) log.on(result.block, 4, "dropped: a tool result without its tool use, or a second one");
  }
  const last = closed.at(-1);
  const isUnused = last?.source === undefined && last?.blocks.length === 0;
  return joinTurns(isUnused ? closed.slice(0, -1) : closed, log);
}

const usesOf = ({ role, blocks }: Draft, draft: number): Use[] =>
  role === "assistant" ? blocks.filter(({ type }) => type === "tool_use").map((block) => ({ draft, block })) : [];

const resultsOf = ({ blocks }: Draft, draft: number): Result[] =>
  blocks.filter(({ type }) => type === "tool_result").map((block) => ({ draft, block, isTaken: false }));

/** First the results that stand where they belong. */
function matchNeighbours(uses: readonly Use[][], results: readonly Result[][]): void {
  uses.forEach((mine, draft) => {
    if (mine.length > 0) match(mine, results[draft + 1] ?? []);
  });
}

/** Then, among what is left, those that stand elsewhere: for each id in order. */
function matchRest(uses: readonly Use[][], results: readonly Result[][]): void {
  match(
    uses.flat().filter(({ result }) => result === undefined),
    results.flat().filter(({ isTaken }) => !isTaken),
  );
}

function match(uses: readonly Use[], results: readonly Result[]): void {
  const waiting = new Map<unknown, Result[]>();
  for (const result of results.toReversed()) {
    const id = result.block["tool_use_id"];
    const others = waiting.get(id);
    if (others === undefined) waiting.set(id, [result]);
    else others.push(result);
  }
  for (const use of uses) {
    const result = waiting.get(use.block["id"])?.pop();
    if (result === undefined) continue;
    result.isTaken = true;
    use.result = result;
  }
}

type Pair = { use: ApiBlock; result: ApiBlock | undefined };

/** The call with a good id, name and input, and its result: the one it has, or one that says it was interrupted. */
function repairPair({ draft, block, result }: Use, isOpen: boolean, ids: UniqueIds, log: RepairLog): Pair {
  const id = ids.for(block);
  const use = repairUse(block, id, log);
  if (result === undefined) {
    if (isOpen) return { use, result: undefined };
    log.on(block, 4, "gave it a result that says it was interrupted");
    return { use, result: { type: "tool_result", tool_use_id: id, content: INTERRUPTED, is_error: true } };
  }
  if (result.draft !== draft + 1) log.on(result.block, 4, "moved to the message after its tool use");
  return { use, result: result.block["tool_use_id"] === id ? result.block : { ...result.block, tool_use_id: id } };
}

function repairUse(block: ApiBlock, id: string, log: RepairLog): ApiBlock {
  const { name, input } = block;
  const fixed = { ...block, id, name: isToolName(name) ? name : toolName(name), input: inputRecord(input) };
  if (id !== block["id"]) log.on(block, 5, `its id is now ${id}`, fixed);
  if (name !== fixed.name) log.on(block, 5, `its name is now ${fixed.name}`, fixed);
  if (input !== fixed.input) log.on(block, 5, "its input is now an object", fixed);
  return id === block["id"] && name === fixed.name && input === fixed.input ? block : fixed;
}

const toolName = (name: unknown): string =>
  shown(name)
    .slice(0, MAX_TOOL_NAME_CHARS)
    .replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "unknown_tool";

function inputRecord(input: unknown): Record<string, unknown> {
  if (isRecord(input)) return input;
  if (input === undefined || input === null || input === "") return {};
  return (typeof input === "string" ? parseRecord(input) : undefined) ?? { input: jsonText(input) };
}

function replaceUses(draft: Draft, pairs: readonly Pair[]): void {
  let count = 0;
  const blocks = draft.blocks.flatMap((block) => {
    if (block.type === "tool_result") return [];
    return block.type === "tool_use" ? (pairs[count++]?.use ?? []) : block;
  });
  setBlocks(draft, blocks);
}

/** Puts the results in front, in the order of their calls; leaves alone what is right already. */
function giveResults(draft: Draft, at: number, uses: readonly Use[], pairs: readonly Pair[], log: RepairLog): void {
  const results = pairs.flatMap(({ result }) => result ?? []);
  const given = draft.blocks.filter(({ type }) => type === "tool_result");
  const isInPlace =
    given.length === results.length &&
    uses.every(({ result }, index) => result?.draft === at && result.block === results[index]) &&
    draft.blocks.slice(0, given.length).every(({ type }) => type === "tool_result");
  if (isInPlace) return;
  const others = draft.blocks.filter(({ type }) => type !== "tool_result");
  const isBehind = (block: ApiBlock, index: number) => block.type === "tool_result" && index >= given.length;
  if (draft.blocks.some(isBehind)) log.add(4, draft.at, "put the tool results first");
  setBlocks(draft, [...results, ...others]);
}

/** Gives each call an id of its own: the one it has when that is good and free. */
class UniqueIds {
  readonly #given: ReadonlySet<unknown>;
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  constructor(uses: readonly Use[]) {
    this.#given = new Set(uses.map(({ block }) => block["id"]));
  }

  for({ id }: ApiBlock): string {
    const unique = isToolUseId(id) && !this.#taken.has(id) ? id : this.#mint(shown(id));
    this.#taken.add(unique);
    return unique;
  }

  #mint(base: string): string {
    const clean = base.replaceAll(/[^a-zA-Z0-9_-]/g, "_") || "toolu";
    for (let count = (this.#counts.get(clean) ?? 1) + 1; ; count += 1) {
      this.#counts.set(clean, count);
      const id = `${clean}_${count}`;
      if (!this.#taken.has(id) && !this.#given.has(id)) return id;
    }
  }
}
