import type { Problem } from "./problem.ts";

/**
 * Which line follows which. Only conversational lines can be parents in the engine; what other writers hung between them
 * is stepped over, and where a parent is missing the order of the file counts. So nothing that can be read is lost.
 */

/** One chain line; uuids are unique. */
export type Link = {
  uuid: string;
  /** As written; undefined when the line has no such field. */
  parent: string | null | undefined;
  /** `step`: a chain line that holds no message, such as a notice or a hook's report. */
  role: "prompt" | "answer" | "result" | "summary" | "step";
  isSidechain: boolean;
  line: number;
};

/** Beyond this many rounds of mending, the rest of the cycles is cut open instead. */
const MAX_CYCLE_PASSES = 10;

/**
 * The parent of each conversational line, always a conversational line or null.
 *
 * @param aliases uuids that stand for another line, such as a compaction mark for its summary.
 */
export function resolveParents(
  links: readonly Link[],
  aliases: ReadonlyMap<string, string>,
  report: (problem: Problem) => void,
): Map<string, string | null> {
  const chain = openChain(links, aliases);
  const parents = links.map((link, at) => parentOf(chain, link, at, report));
  cutCycles(chain, parents, report);
  return new Map(
    links.flatMap((link, at) => (link.role === "step" ? [] : [[link.uuid, uuidAt(links, parents[at] ?? null)]])),
  );
}

type Chain = {
  links: readonly Link[];
  /** The place of a parent as written: undefined when there is no such line. */
  find(uuid: string): number | undefined;
  /** The conversational line before each place: of the main thread, or aside. */
  previous: readonly (number | null)[];
  /** No line names a parent that exists: such a file has an order only. */
  hasParents: boolean;
  /** Answers and results by the parent that they name. */
  sameTurn(parent: number): readonly number[];
};

function openChain(links: readonly Link[], aliases: ReadonlyMap<string, string>): Chain {
  const places = new Map(links.map((link, at) => [link.uuid, at]));
  const find = (uuid: string) => places.get(aliases.get(uuid) ?? uuid);
  const previous: (number | null)[] = [];
  const last: { main: number | null; aside: number | null } = { main: null, aside: null };
  let hasParents = false;
  for (const [at, link] of links.entries()) {
    const thread = link.isSidechain ? "aside" : "main";
    previous.push(last[thread]);
    if (link.role !== "step") last[thread] = at;
    if (link.role === "summary" || (link.parent != null && find(link.parent) !== undefined)) hasParents = true;
  }
  return { links, find, previous, hasParents, sameTurn: sameTurnIndex(links, find) };
}

/** Made when first asked for: few files need it. */
function sameTurnIndex(links: readonly Link[], find: Chain["find"]): Chain["sameTurn"] {
  let index: Map<number, number[]> | undefined;
  return (parent) => {
    index ??= indexOf(links, find);
    return index.get(parent) ?? [];
  };
}

function indexOf(links: readonly Link[], find: Chain["find"]): Map<number, number[]> {
  const index = new Map<number, number[]>();
  for (const [at, link] of links.entries()) {
    if (!isMain(link) || link.role === "prompt" || link.parent == null) continue;
    const parent = find(link.parent);
    if (parent === undefined) continue;
    const children = index.get(parent);
    if (children === undefined) index.set(parent, [at]);
    else children.push(at);
  }
  return index;
}

const isMain = (link: Link): boolean => link.role !== "step" && !link.isSidechain;

const uuidAt = (links: readonly Link[], at: number | null): string | null =>
  at === null ? null : (links[at]?.uuid ?? null);

function parentOf(chain: Chain, link: Link, at: number, report: (problem: Problem) => void): number | null {
  if (link.role === "step" || link.role === "summary") return null;
  const before = chain.previous[at] ?? null;
  if (link.parent === undefined || (!chain.hasParents && link.parent === null)) return before;
  if (link.parent === null) return null;
  const found = climb(chain, link, chain.find(link.parent));
  if (found.type === "missing") {
    report({ type: "missing_parent", line: link.line, message: `${link.uuid} names a parent that is not there` });
    return before;
  }
  if (!found.hasStepped || found.at === null || link.role !== "prompt" || link.isSidechain) return found.at;
  return endOfTurn(chain, found.at, at);
}

type Climbed = { type: "found"; at: number | null; hasStepped: boolean } | { type: "missing" };

/** From a named parent up to the first line that can be one. A main line's parent is never a subagent's. */
function climb(chain: Chain, link: Link, from: number | undefined): Climbed {
  const seen = new Set<number>();
  let at = from;
  for (let hasStepped = false; ; hasStepped = true) {
    const candidate = at === undefined ? undefined : chain.links[at];
    if (at === undefined || candidate === undefined || seen.has(at)) return { type: "missing" };
    const isForeign = candidate.isSidechain && !link.isSidechain;
    if (candidate.role !== "step" && !isForeign) return { type: "found", at, hasStepped };
    if (candidate.parent == null)
      return isForeign ? { type: "missing" } : { type: "found", at: null, hasStepped: true };
    seen.add(at);
    at = chain.find(candidate.parent);
  }
}

/**
 * A prompt that hangs off a notice beside an answer follows the answer. Only the same turn is followed: a later prompt
 * under that parent is a branch that was left.
 */
function endOfTurn(chain: Chain, parent: number, before: number): number {
  let end = parent;
  for (;;) {
    const next = chain.sameTurn(end).findLast((child) => child < before && child > end);
    if (next === undefined) return end;
    end = next;
  }
}

/** A cycle is opened at its first line, which then follows the line before it in the file. */
function cutCycles(chain: Chain, parents: (number | null)[], report: (problem: Problem) => void): void {
  for (let pass = 0; ; pass++) {
    const cycles = findCycles(parents);
    if (cycles.length === 0) return;
    for (const first of cycles) {
      const link = chain.links[first];
      if (link === undefined) continue;
      report({ type: "cycle", line: link.line, message: `${link.uuid} is its own ancestor` });
      parents[first] = pass < MAX_CYCLE_PASSES ? (chain.previous[first] ?? null) : null;
    }
  }
}

/** The first place of each cycle. */
function findCycles(parents: readonly (number | null)[]): number[] {
  const cycles: number[] = [];
  const walkOf = new Int32Array(parents.length).fill(-1);
  for (let start = 0; start < parents.length; start++) {
    let at: number | null = start;
    while (at !== null && walkOf[at] === -1) {
      walkOf[at] = start;
      at = parents[at] ?? null;
    }
    if (at !== null && walkOf[at] === start) cycles.push(firstOfCycle(parents, at));
  }
  return cycles;
}

function firstOfCycle(parents: readonly (number | null)[], start: number): number {
  let first = start;
  for (let at = parents[start]; at != null && at !== start; at = parents[at]) first = Math.min(first, at);
  return first;
}
