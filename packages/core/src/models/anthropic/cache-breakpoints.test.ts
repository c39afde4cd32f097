import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cacheBreakpoints, LOOK_BACK_BLOCKS, type Mark, type MarkableMessage } from "./cache-breakpoints.ts";

const SEED = 20261102;

const user = (...canMark: boolean[]): MarkableMessage => ({ role: "user", canMark });
const assistant = (...canMark: boolean[]): MarkableMessage => ({ role: "assistant", canMark });
const marksOf = (messages: MarkableMessage[], skipCacheWrite = false): readonly Mark[] =>
  cacheBreakpoints({ toolCount: 1, systemCount: 1, messages, skipCacheWrite }).marks;

describe("the first mark", () => {
  const prefixOf = (toolCount: number, systemCount: number) =>
    cacheBreakpoints({ toolCount, systemCount, messages: [user(true)] }).prefix;

  test("covers tools and system, or the tools alone, or is left out", () => {
    expect([prefixOf(2, 1), prefixOf(0, 1), prefixOf(2, 0), prefixOf(0, 0)]).toEqual([
      "system",
      "system",
      "tools",
      undefined,
    ]);
  });
});

describe("the marks in the messages", () => {
  test("stand on the new tail and where the last two requests ended", () => {
    const messages = [user(true), assistant(true, true), user(true, true), assistant(true), user(true)];

    expect(marksOf(messages)).toEqual([
      { message: 0, block: 0 },
      { message: 2, block: 1 },
      { message: 4, block: 0 },
    ]);
  });

  test("never stand on a block that may not be marked", () => {
    const messages = [user(true, false), assistant(true, false), user(false, false)];

    expect(marksOf(messages)).toEqual([
      { message: 0, block: 0 },
      { message: 1, block: 0 },
    ]);
    expect(marksOf([user(false)])).toEqual([]);
    expect(marksOf([])).toEqual([]);
  });

  test("after an answer of forty blocks its end is marked too", () => {
    const messages = [user(true), assistant(...Array<boolean>(40).fill(true)), user(true, true)];

    expect(marksOf(messages)).toEqual([
      { message: 0, block: 0 },
      { message: 1, block: 39 },
      { message: 2, block: 1 },
    ]);
  });

  test("a paused answer that goes on was a request's end", () => {
    const messages = [user(true), assistant(true), assistant(true), user(true)];

    expect(marksOf(messages)).toEqual([
      { message: 0, block: 0 },
      { message: 1, block: 0 },
      { message: 3, block: 0 },
    ]);
  });

  test("without a write the tail has none, and what was written is still read", () => {
    const messages = [user(true), assistant(true), user(true)];

    expect(marksOf(messages, true)).toEqual([{ message: 0, block: 0 }]);
  });
});

/** The provider's cache: each mark stores the prefix up to it, and reads the longest one stored within its reach. */
class Provider {
  readonly #stored = new Set<string>();

  /** Blocks read from the cache, and the most that could have been. */
  send(blocks: readonly string[], marked: readonly number[]): { read: number; best: number } {
    // A block here has a name of its own and always the same ones before it, so its name stands for the prefix.
    const stored = blocks.flatMap((block, index) => (this.#stored.has(block) ? [index] : []));
    const inReach = stored.filter((index) => marked.some((mark) => index <= mark && index > mark - LOOK_BACK_BLOCKS));
    for (const mark of marked) this.#stored.add(blocks[mark] ?? "");
    return { read: 1 + Math.max(-1, ...inReach), best: 1 + Math.max(-1, ...stored) };
  }
}

type Round = { answer: number; results: number; thinks: boolean; follow: "results" | "pause" | "replaced_results" };

const round: fc.Arbitrary<Round> = fc.record({
  answer: fc.integer({ min: 1, max: 60 }),
  results: fc.integer({ min: 1, max: 60 }),
  thinks: fc.boolean(),
  follow: fc.constantFrom("results", "results", "pause", "replaced_results"),
});

class Conversation {
  readonly #provider = new Provider();
  #messages: (MarkableMessage & { blocks: string[] })[] = [];
  #count = 0;

  add(role: "user" | "assistant", size: number, startsWithThinking = false): void {
    const blocks = Array.from({ length: size }, () => `${this.#count++}`);
    const canMark = blocks.map((_, index) => !(startsWithThinking && index === 0 && size > 1));
    this.#messages.push({ role, canMark, blocks });
  }

  removeLast(): void {
    this.#messages.pop();
  }

  send(skipCacheWrite: boolean): { read: number; best: number } {
    const { marks } = cacheBreakpoints({ toolCount: 1, systemCount: 1, messages: this.#messages, skipCacheWrite });
    const before = (message: number) =>
      this.#messages.slice(0, message).reduce((total, { blocks }) => total + blocks.length, 1);
    const blocks = ["tools and system", ...this.#messages.flatMap((message) => message.blocks)];
    return this.#provider.send(blocks, [0, ...marks.map(({ message, block }) => before(message) + block)]);
  }
}

/** Every request of a growing conversation: what it read from the cache beside the best it could have. */
function play(rounds: readonly Round[], isSkipped: (request: number) => boolean): { read: number; best: number }[] {
  const conversation = new Conversation();
  const sent: { read: number; best: number }[] = [];
  const send = () => sent.push(conversation.send(isSkipped(sent.length)));
  conversation.add("user", 1);
  send();
  for (const { answer, results, thinks, follow } of rounds) {
    conversation.add("assistant", answer, thinks);
    if (follow !== "pause") conversation.add("user", results);
    send();
    if (follow !== "replaced_results") continue;
    conversation.removeLast();
    conversation.add("user", results);
    send();
  }
  return sent;
}

describe("in a growing conversation, with answers and results of up to sixty blocks", () => {
  function allBest(sent: readonly { read: number; best: number }[]): void {
    expect(sent.map(({ read }) => read)).toEqual(sent.map(({ best }) => best));
  }

  test("every request reads the longest prefix that is stored", () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 12 }), (rounds) => allBest(play(rounds, () => false))),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("also when a request between wrote nothing", () => {
    fc.assert(
      fc.property(fc.array(round, { minLength: 1, maxLength: 12 }), fc.integer({ min: 2, max: 5 }), (rounds, every) => {
        const simple = rounds.map((each) => ({ ...each, follow: "results" as const }));
        allBest(play(simple, (request) => request % every === every - 1));
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  test("and the cache is really read: all but the new blocks", () => {
    const rounds = [40, 3, 25].map((answer) => ({ answer, results: 2, thinks: false, follow: "results" as const }));

    expect(play(rounds, () => false).map(({ read }) => read)).toEqual([0, 2, 44, 49]);
  });
});
