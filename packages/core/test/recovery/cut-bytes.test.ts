import { describe, expect, test } from "vitest";
import { toApiBlock } from "../../src/messages/normalize.ts";
import type { BodySource, Read } from "../../src/models/anthropic/exchange.ts";
import { readAnswer } from "../../src/models/anthropic/read-response.ts";
import { SseParser } from "../../src/models/anthropic/sse.ts";
import { Answer } from "../../src/models/anthropic/stream.ts";
import type { ModelEvent } from "../../src/models/model.ts";
import { modelId } from "../support/anthropic.ts";
import { outcomesOf, type Recording, recordings } from "../support/recorded-streams.ts";
import { type Known, knownAfterEach, placedEvents } from "./known-answer.ts";
import { everyByteOf } from "./places.ts";
import { progress } from "./progress.ts";
import { seeded } from "./seeded.ts";

/**
 * The first of two proofs that together hold for a stream cut after each byte: whatever the byte, the adapter says no more than
 * the events that were whole before it, and that the answer broke off. So an engine meets only as many different breaks as
 * there are events and lines, and `cut-streams.test.ts` tries those with whole sessions.
 */
const isLong = process.env["PAWL_LONG"] === "1";
const SEED = 20261201;
/** In the short form. */
const PLACES = 40;
const MAX_PIECE_BYTES = 4_096;
/** In the short form all that is known is compared with each event that says something, and at each so manieth byte. */
const LOOKED_AT_EACH = 97;
/** A reset is what stands byte by byte, without an end: it is read anew in the long form at each so manieth byte only. */
const RESET_EACH = 7;
const LONG_TEST_MS = 1_800_000;

const RESET = {
  type: "broken",
  failure: { type: "cut", phase: "content", message: "reset" },
} as const satisfies Read;
type End = "end" | "reset";

/** The bytes of a response up to `at`, in pieces of odd sizes, and then how it ends. */
function source(bytes: Buffer, at: number, end: End, seed: number): BodySource {
  const pick = seeded(seed);
  let given = 0;
  return {
    watchdog: { phase: "content", arrived() {} },
    expectEnd() {},
    expectMore() {},
    async next() {
      if (given >= at) return end === "end" ? { type: "end" } : RESET;
      // Half of the pieces are tiny: a character, a CR LF or a name may be cut anywhere.
      const size = pick.percent(50) ? 1 + pick.below(5) : 1 + pick.below(MAX_PIECE_BYTES);
      const from = given;
      given = Math.min(at, given + size);
      return { type: "bytes", bytes: bytes.subarray(from, given) };
    },
  };
}

const provenance = { provider: "anthropic", model: modelId("claude-sonnet-5-5") };

async function eventsUntil(bytes: Buffer, at: number, end: End): Promise<ModelEvent[]> {
  const options = { provenance, includeRaw: false, secrets: [], now: () => 0, call: { isWhole: false } };
  const events: ModelEvent[] = [];
  for await (const event of readAnswer(source(bytes, at, end, SEED + at), { headers: {} }, options)) events.push(event);
  return events;
}

/** What an engine has of an answer after its events: by its last start only, as it may begin anew. */
function givenIn(events: readonly ModelEvent[]): Known & { breaks: number } {
  const start = events.findLastIndex(({ type }) => type === "message_start");
  const blocks = events.slice(start).flatMap((event) => (event.type === "block_end" ? [toApiBlock(event.block)] : []));
  const last = events.at(-1);
  const partial = last?.type === "failure" ? last.partial.map(toApiBlock) : [];
  return {
    blocks,
    openText: partial.slice(blocks.length),
    isWhole: last?.type === "message_end",
    breaks: events.filter(({ type }) => type === "failure").length,
  };
}

const textOf = ({ type, text, citations }: Record<string, unknown>) => ({ type, text, citations: citations ?? [] });

/** What is known after so many bytes. A reset takes a line of data that has not ended with it. */
function knownAt(recording: Recording) {
  const placed = placedEvents(recording);
  const known = knownAfterEach(placed, recording);
  let passed = 0;
  return (at: number, end: End): Known => {
    const isThere = (count: number) =>
      (placed[count]?.isThereAt ?? Number.POSITIVE_INFINITY) + (end === "end" ? 0 : 2) <= at;
    while (passed > 0 && !isThere(passed - 1)) passed -= 1;
    while (isThere(passed)) passed += 1;
    return known[passed] ?? { blocks: [], openText: [], isWhole: false };
  };
}

describe.each(recordings)("$name", (recording) => {
  const bytes = Buffer.from(recording.body);
  const known = knownAt(recording);

  test(
    "byte by byte, after each of them: the blocks that are whole and the text so far, and nothing else",
    () => {
      const answer = new Answer({ provenance, includeRaw: false, requestId: undefined });
      const parser = new SseParser((data, name) => answer.accept(data, name));
      const events: ModelEvent[] = [];
      for (let at = 1; at <= bytes.length; at++) {
        parser.push(bytes.subarray(at - 1, at));
        const more = answer.drain();
        events.push(...more);
        const wanted = known(at, "reset");
        if (answer.isWhole !== wanted.isWhole) expect.fail(`after byte ${at} the answer is whole: ${answer.isWhole}`);
        if (answer.isWhole || !(isLong || more.length > 0 || at % LOOKED_AT_EACH === 0)) continue;
        const given = givenIn([...events, answer.broken(RESET.failure)]);
        expectKnown(given, wanted, `after byte ${at}`);
      }
      parser.end();
      expect(outcomesOf([...events, ...answer.drain()])).toEqual(recording.expected);
    },
    LONG_TEST_MS,
  );

  test(
    "ended after each byte, or reset there, in pieces of any size: what was whole before it, and that it broke off",
    async () => {
      const pick = seeded(SEED + bytes.length);
      const all = everyByteOf(recording);
      const places = isLong ? all : Array.from({ length: PLACES }, () => pick.pick(all));
      const tell = isLong ? progress(`${recording.name}: bytes`, places.length) : () => {};
      for (const at of places) {
        await expectBroken(at, "end");
        if (!isLong || at % RESET_EACH === 0) await expectBroken(at, "reset");
        tell();
      }
    },
    LONG_TEST_MS,
  );

  async function expectBroken(at: number, end: End): Promise<void> {
    const events = await eventsUntil(bytes, at, end);
    const given = givenIn(events);
    const wanted = known(at, end);
    const what = `${end} after byte ${at}`;
    if (given.isWhole !== wanted.isWhole) expect.fail(`${what} the answer is whole: ${given.isWhole}`);
    expect(given.breaks, what).toBe(wanted.isWhole ? 0 : 1);
    if (wanted.isWhole) expect(recording.expected, what).toEqual(expect.arrayContaining(outcomesOf(events)));
    else expectKnown(given, wanted, what);
  }
});

function expectKnown(given: Known, wanted: Known, what: string): void {
  expect(given.blocks, what).toEqual(wanted.blocks);
  expect(given.openText.map(textOf), what).toEqual(wanted.openText.map(textOf));
}
