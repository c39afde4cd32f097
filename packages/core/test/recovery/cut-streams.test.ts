import type { ServerResponse } from "node:http";
import { type ApiBlock, type ApiMessage, type EngineOptions, tool, violations } from "@pawl/core";
import { expect, test } from "vitest";
import { place, type Turn, turn } from "../scenarios/engine-harness.ts";
import { type LoopbackServer, loopbackServer, type Received } from "../support/loopback-server.ts";
import { type Recording, recordings } from "../support/recorded-streams.ts";
import { answers200, STREAM, text } from "./answers.ts";
import { placedEvents } from "./known-answer.ts";
import { ask, liveSession } from "./live-session.ts";
import { everyByteOf, everyLineOf } from "./places.ts";
import { progress } from "./progress.ts";
import { beside, type Chance, seeded } from "./seeded.ts";
import { expectContinued } from "./wire.ts";

/**
 * The second of two proofs that together hold for a stream cut after each byte. `cut-bytes.test.ts` shows that an answer cut
 * inside an event is to the engine one cut before it; here whole sessions meet each such difference over a real connection: in
 * the long form at the end of each event and of each line, one byte before and after it, and inside each line, and of a small
 * recording after each byte: around the end of each event in all four ways, elsewhere in one of them in turn. The short form
 * is a sample of the same places, in all four ways.
 */
const isLong = process.env["PAWL_LONG"] === "1";
const SEED = 20261130;
/** Of each recording, in the short form. */
const PLACES = 3;
/** Each byte of such a recording is tried. */
const SMALL_BYTES = 1_000;
const BESIDE = 16;
/** Sessions that mostly wait for their deadline. */
const BESIDE_STALLED = 48;
const PROMPT_MS = 1_000;
const STALL_MS = 150;
/** The server answers at once; only a very busy machine is slow. */
const HEADERS_MS = 5_000;
const LONG_TEST_MS = 3_600_000;

const ways = ["cut", "reset", "stall", "abort"] as const;
type Way = (typeof ways)[number];
type Case = { recording: Recording; at: number; way: Way; startsEarly: boolean };

/** What a session was left with, beside what belongs to its own folder. */
type Left = { messages: ApiMessage[]; terminal: string; ran: unknown[] };

/** Serves each session, which is told by the path it asks, its recording once, and then plain answers. */
class StreamServer {
  readonly #cases = new Map<string, Case>();
  readonly #received = new Map<string, Received[]>();
  readonly onSent = new Map<string, () => void>();

  add(path: string, one: Case): void {
    this.#cases.set(path, one);
    this.#received.set(path, []);
  }

  take(path: string): Received[] {
    const received = this.#received.get(path) ?? [];
    this.#cases.delete(path);
    this.#received.delete(path);
    this.onSent.delete(path);
    return received;
  }

  readonly answer = (response: ServerResponse, request: Received): void => {
    const path = request.url.replace(/\/v1\/messages$/, "");
    const one = this.#cases.get(path);
    const received = this.#received.get(path);
    if (one === undefined || received === undefined) throw new Error(`no session asks ${request.url}`);
    received.push(request);
    if (received.length > 1) answers200(text("A plain answer."))(response);
    else send(response, one, this.onSent.get(path));
  };
}

function send(response: ServerResponse, { recording, at, way }: Case, onSent: (() => void) | undefined): void {
  response.writeHead(200, STREAM);
  response.flushHeaders();
  const part = Buffer.from(recording.body).subarray(0, at);
  if (way === "cut") response.end(part);
  else if (way === "reset") response.write(part, () => response.socket?.resetAndDestroy());
  else response.write(part, onSent);
}

const plain = [{ role: "assistant", content: [{ type: "text", text: "A plain answer." }] }];

let sessions = 0;

type World = { server: LoopbackServer; streams: StreamServer; at: Shared; tools: readonly RecordedTool[] };
type Shared = Awaited<ReturnType<typeof place>>;

async function leave({ server, streams, at, tools }: World, one: Case): Promise<Left & { second: Turn }> {
  const path = `/${++sessions}`;
  streams.add(path, one);
  const ran: unknown[] = [];
  const options: EngineOptions = {
    customTools: tools.map((each) => recordingIn(ran, each, one.startsEarly)),
    tools: [],
    allowedTools: toolNames(one.recording),
    persistSession: false,
  };
  await using session = await liveSession(server.url + path, {
    ...options,
    at,
    limits: { headers: HEADERS_MS, stall: STALL_MS },
  });
  let abortedAt: number | undefined;
  if (one.way === "abort") {
    streams.onSent.set(path, () => {
      setTimeout(() => {
        abortedAt = performance.now();
        session.engine.interrupt();
      }, 5);
    });
  }

  const first = await ask(session, "go");
  const endedAt = performance.now();
  const left: Left = {
    messages: session.engine.messages.slice(1),
    terminal: `${first.result.subtype}/${first.result.terminal_reason}/${first.result.is_error}`,
    ran: [...ran],
  };
  expect(violations(session.engine.messages)).toEqual([]);
  if (abortedAt !== undefined) expect(endedAt - abortedAt).toBeLessThan(PROMPT_MS);
  const second = await turn(session.engine, "and now?");
  expectContinued(streams.take(path), describe(one));
  return { ...left, second };
}

const describe = ({ recording, at, way }: Case) => `${recording.name} ${way} after byte ${at}`;

const toolNames = ({ expected }: Recording): string[] => [
  ...new Set(
    expected.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [String(block["name"])] : [])),
    ),
  ),
];

type RecordedTool = ReturnType<typeof recordedTool>;

/** The tools are made once: reading their schemas would take most of the time of a session. */
const recordedTool = (name: string) => tool(name, name, { type: "object" }, async () => "done");

/** `each`, which notes its calls. */
const recordingIn = (ran: unknown[], each: RecordedTool, isReadOnly: boolean): RecordedTool => ({
  ...each,
  isReadOnly: () => isReadOnly,
  isConcurrencySafe: () => isReadOnly,
  async run(input) {
    ran.push([each.name, input]);
    return { content: "done" };
  },
});

const answered = (messages: readonly ApiMessage[]): ApiBlock[] =>
  messages.flatMap(({ role, content }) => (role === "assistant" && typeof content !== "string" ? [...content] : []));

/** The calls that are whole somewhere in a recording: what starts early may start with its block. */
const callsOf = ({ expected }: Recording): unknown[] =>
  expected.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_use" ? [[block["name"], block["input"]]] : [])),
  );

/** What may follow the name in the event that ends a message, the end of its line included. */
const END_BYTES = `message_stop"}\n\n`.length;

/** Where a message is whole, in bytes: a recording may hold one after another. The end counts as one, whole or not. */
function endsOf({ body }: Recording): number[] {
  const ends = [...body.matchAll(/"message_stop"[^\n]*\n\n/g)].map(({ index, 0: text }) => index + text.length);
  return [...new Set([...ends.map((end) => Buffer.byteLength(body.slice(0, end))), Buffer.byteLength(body)])];
}

/** Whether a block is one of the recorded, or the beginning of a recorded text. */
function isOf({ expected }: Recording, block: ApiBlock): boolean {
  const wanted = JSON.stringify(block);
  const { type, text: said } = block;
  return expected.some(({ content }) =>
    content.some((one) => {
      const isBeginning = type === "text" && typeof said === "string" && String(one["text"]).startsWith(said);
      return isBeginning || JSON.stringify(one) === wanted;
    }),
  );
}

function placesOf(recording: Recording, pick: Chance): number[] {
  const isSmall = recording.body.length <= SMALL_BYTES;
  const all = isSmall ? everyByteOf(recording) : everyLineOf(recording);
  return isLong ? all : Array.from({ length: PLACES }, () => pick.pick(all));
}

test.each(recordings.map((recording) => [recording.name, recording] as const))(
  "%s cut, reset, stalled or left after any byte: the whole answer or none, no part of a call run, and the session goes on",
  async (_name, recording) => {
    const streams = new StreamServer();
    await using server = await loopbackServer(streams.answer);
    await using at = await place();
    const world = { server, streams, at, tools: toolNames(recording).map(recordedTool) };
    const ends = endsOf(recording);
    const wholes = await Promise.all(
      ends.map((at) => leave(world, { recording, at, way: "cut" as const, startsEarly: false })),
    );
    const cases = casesOf(recording);
    const kinds = { whole: 0, none: 0, left: 0 };

    const tell = isLong ? progress(`${recording.name}: sessions`, cases.length) : () => {};
    const tryOne = async (one: Case) => {
      const left = await leave(world, one);
      const what = describe(one);
      expect(left.second.result, what).toMatchObject({ is_error: false, terminal_reason: "completed" });
      if (one.way === "abort" && left.terminal.includes("aborted")) {
        kinds.left += 1;
        for (const block of answered(left.messages)) expect(isOf(recording, block), what).toBe(true);
        expect(callsOf(recording), what).toEqual(expect.arrayContaining(left.ran));
        return;
      }
      // An answer that is of no use even when whole is asked for again like one that was cut.
      const isPlain = JSON.stringify(left.messages) === JSON.stringify(plain);
      const same = JSON.stringify(left.messages);
      const whole = isPlain ? undefined : wholes.find(({ messages }) => JSON.stringify(messages) === same);
      kinds[whole === undefined ? "none" : "whole"] += 1;
      if (whole !== undefined) expect(left, what).toMatchObject({ terminal: whole.terminal, ran: whole.ran });
      else {
        expect(left.messages, what).toEqual(plain);
        if (one.startsEarly) expect(callsOf(recording), what).toEqual(expect.arrayContaining(left.ran));
        else expect(left.ran, what).toEqual([]);
      }
      if (one.at < (ends[0] ?? 0) - END_BYTES) expect(whole, what).toBeUndefined();
    };
    const isStall = ({ way }: Case) => way === "stall";
    for (const [count, some] of [
      [BESIDE, cases.filter((one) => !isStall(one))],
      [BESIDE_STALLED, cases.filter(isStall)],
    ] as const) {
      await beside(count, some, async (one) => {
        await tryOne(one);
        tell();
      });
    }

    expect(kinds.none).toBeGreaterThan(0);
    expect(kinds.left).toBeGreaterThan(0);
  },
  isLong ? LONG_TEST_MS : 60_000,
);

/** All four ways where a line of data ends, which is where an event becomes whole; elsewhere one in turn. */
function casesOf(recording: Recording): Case[] {
  const pick = seeded(SEED + recording.body.length);
  const ends = new Set(placedEvents(recording).flatMap(({ isThereAt: at }) => [at - 1, at, at + 1]));
  return placesOf(recording, pick).flatMap((at, count) =>
    ways
      .filter((_, index) => !isLong || ends.has(at) || index === count % ways.length)
      .map((way) => ({ recording, at, way, startsEarly: pick.percent(50) })),
  );
}
