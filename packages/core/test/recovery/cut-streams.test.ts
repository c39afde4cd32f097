import type { ServerResponse } from "node:http";
import { type ApiBlock, type ApiMessage, type EngineOptions, tool, violations } from "@pawl/core";
import { expect, test } from "vitest";
import { type Turn, turn } from "../scenarios/engine-harness.ts";
import { type LoopbackServer, loopbackServer, type Received } from "../support/loopback-server.ts";
import { type Recording, recordings } from "../support/recorded-streams.ts";
import { answers200, STREAM, text } from "./answers.ts";
import { ask, liveSession } from "./live-session.ts";
import { beside, seeded } from "./seeded.ts";
import { expectContinued } from "./wire.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const SEED = 20261130;
/** Of each recording so many places are tried, or all when it has fewer. */
const PLACES = isLong ? 1_000 : 3;
const BESIDE = 16;
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

async function leave(server: LoopbackServer, streams: StreamServer, one: Case): Promise<Left & { second: Turn }> {
  const path = `/${++sessions}`;
  streams.add(path, one);
  const ran: unknown[] = [];
  const options: EngineOptions = {
    customTools: toolsOf(one, ran),
    tools: [],
    allowedTools: toolNames(one.recording),
    persistSession: false,
  };
  await using session = await liveSession(server.url + path, {
    ...options,
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

function toolsOf({ recording, startsEarly }: Case, ran: unknown[]): NonNullable<EngineOptions["customTools"]> {
  return toolNames(recording).map((name) =>
    tool(
      name,
      name,
      { type: "object" },
      async (input) => {
        ran.push([name, input]);
        return "done";
      },
      { isReadOnly: startsEarly },
    ),
  );
}

const answered = (messages: readonly ApiMessage[]): ApiBlock[] =>
  messages.flatMap(({ role, content }) => (role === "assistant" && typeof content !== "string" ? [...content] : []));

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

function* placesOf(recording: Recording, pick: ReturnType<typeof seeded>): Generator<number> {
  const length = Buffer.byteLength(recording.body);
  if (length <= PLACES) for (let at = 0; at < length; at++) yield at;
  else for (let count = 0; count < PLACES; count++) yield pick.below(length);
}

test.each(recordings.map((recording) => [recording.name, recording] as const))(
  "%s cut, reset, stalled or left after any byte: the whole answer or none, no part of a call run, and the session goes on",
  async (_name, recording) => {
    const streams = new StreamServer();
    await using server = await loopbackServer(streams.answer);
    const length = Buffer.byteLength(recording.body);
    const whole = await leave(server, streams, { recording, at: length, way: "cut", startsEarly: false });
    const cases = casesOf(recording);
    const kinds = { whole: 0, none: 0, left: 0 };

    await beside(BESIDE, cases, async (one) => {
      const left = await leave(server, streams, one);
      const what = describe(one);
      expect(left.second.result, what).toMatchObject({ is_error: false, terminal_reason: "completed" });
      if (one.way === "abort" && left.terminal.includes("aborted")) {
        kinds.left += 1;
        for (const block of answered(left.messages)) expect(isOf(recording, block), what).toBe(true);
        expect(whole.ran, what).toEqual(expect.arrayContaining(left.ran));
        return;
      }
      // An answer that is of no use even when whole is asked for again like one that was cut.
      const isPlain = JSON.stringify(left.messages) === JSON.stringify(plain);
      const isWhole = !isPlain && JSON.stringify(left.messages) === JSON.stringify(whole.messages);
      kinds[isWhole ? "whole" : "none"] += 1;
      if (isWhole) expect(left, what).toMatchObject({ terminal: whole.terminal, ran: whole.ran });
      else {
        expect(left.messages, what).toEqual(plain);
        if (one.startsEarly) expect(whole.ran, what).toEqual(expect.arrayContaining(left.ran));
        else expect(left.ran, what).toEqual([]);
      }
      if (one.at < recording.body.lastIndexOf("message_stop")) expect(isWhole, what).toBe(false);
    });

    expect(kinds.none).toBeGreaterThan(0);
    expect(kinds.left).toBeGreaterThan(0);
  },
  isLong ? LONG_TEST_MS : 60_000,
);

function* casesOf(recording: Recording): Generator<Case> {
  const pick = seeded(SEED + recording.body.length);
  for (const at of placesOf(recording, pick)) {
    for (const way of ways) yield { recording, at, way, startsEarly: pick.percent(50) };
  }
}
