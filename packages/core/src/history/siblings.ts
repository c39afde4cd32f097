import type { ContentBlock, ToolUseId } from "../messages/message.ts";
import { isSameAnswer } from "./join.ts";
import { isFirstOfItsUuid, type Line, type Lines, parentPlace } from "./lines.ts";

/**
 * Adds to a chain what a walk along the parents passes by: other blocks of an answer on the chain, and results of its tool
 * uses. Parallel calls fork, since each result names the line of its own call as parent.
 */
export function withSiblings(lines: Lines, path: readonly number[]): Line[] {
  const { blocks, results } = findSiblings(lines, path);
  const ordered: number[] = [];
  let held: number[] = []; // results wait for the end of the answer that asked for them
  path.forEach((place, index) => {
    for (const one of withDescendants(place, blocks)) {
      ordered.push(one);
      held.push(...(results.get(one) ?? []));
    }
    if (areOneAnswer(lines.all[place], lines.all[path[index + 1] ?? -1])) return;
    ordered.push(...held);
    held = [];
  });
  return ordered.flatMap((place) => lines.all[place] ?? []);
}

/** Whether two lines are blocks of one answer. */
function areOneAnswer(one: Line | undefined, other: Line | undefined): boolean {
  if (one?.entry.type !== "message" || other?.entry.type !== "message") return false;
  const [first, second] = [one.entry.message, other.entry.message];
  return first.role === "assistant" && second.role === "assistant" && isSameAnswer(first, second);
}

type Siblings = {
  /** Blocks of an answer by the line they follow in it. */
  blocks: Map<number, number[]>;
  /** Results by the line of their call. */
  results: Map<number, number[]>;
};

function findSiblings(lines: Lines, path: readonly number[]): Siblings {
  const siblings: Siblings = { blocks: new Map(), results: new Map() };
  const known = new KnownCalls(lines, path);
  for (const [place, line] of lines.all.entries()) {
    const parent = parentPlace(lines, line);
    if (typeof parent !== "number" || known.has(place) || !known.has(parent) || !isFirstOfItsUuid(lines, place))
      continue;
    const call = known.callAnsweredBy(place);
    if (areOneAnswer(lines.all[parent], line)) put(siblings.blocks, parent, place);
    else if (call !== undefined) put(siblings.results, call, place);
    else continue;
    known.add(place);
  }
  return siblings;
}

/** The lines found so far, and which of their calls have a result. */
class KnownCalls {
  readonly #lines: Lines;
  readonly #places = new Set<number>();
  readonly #calls = new Map<ToolUseId, number>();
  readonly #answered = new Set<ToolUseId>();

  constructor(lines: Lines, path: readonly number[]) {
    this.#lines = lines;
    for (const place of path) this.add(place);
  }

  has(place: number): boolean {
    return this.#places.has(place);
  }

  add(place: number): void {
    this.#places.add(place);
    for (const block of this.#contentAt(place)) {
      if (block.type === "tool_use") this.#calls.set(block.id, place);
      if (block.type === "tool_result") this.#answered.add(block.tool_use_id);
    }
  }

  /** The place of an open call that the line at `place` has the result of. */
  callAnsweredBy(place: number): number | undefined {
    for (const block of this.#contentAt(place)) {
      if (block.type !== "tool_result" || this.#answered.has(block.tool_use_id)) continue;
      const call = this.#calls.get(block.tool_use_id);
      if (call !== undefined) return call;
    }
    return undefined;
  }

  #contentAt(place: number): readonly ContentBlock[] {
    const entry = this.#lines.all[place]?.entry;
    return entry?.type === "message" ? entry.message.content : [];
  }
}

/** A place and all that hangs from it, each before what hangs from it in turn. */
function withDescendants(root: number, children: ReadonlyMap<number, readonly number[]>): number[] {
  const found: number[] = [];
  const waiting = [root];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    found.push(place);
    waiting.push(...(children.get(place) ?? []).toReversed());
  }
  return found;
}

function put(map: Map<number, number[]>, key: number, value: number): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}
