import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { sse } from "../support/anthropic.ts";
import { type LoopbackServer, loopbackServer, type Received } from "../support/loopback-server.ts";
import { eventsOf, freshId, type Said, type SseEvent, STREAM, text, use } from "./answers.ts";
import type { Chance } from "./seeded.ts";
import { answerTo } from "./ten-tools.ts";
import { PAUSED } from "./wire.ts";

/** What the server reported of one response. `isSure`: the client must have read it. */
type Reported = { input: number; output: number; isSure: boolean };

export type FaultyServer = LoopbackServer & {
  /** By response id. */
  reported: ReadonlyMap<string, Reported>;
  /** How often each fault was played. */
  faults: ReadonlyMap<string, number>;
  /** From now on it answers as it should. */
  heal(): void;
};

/** Lets the client read what was written before the connection goes away. Milliseconds. */
const READ_MS = 15;

/** Plays the ten-tool session with faults mixed in by chance: of a hundred requests so many fail. */
export async function faultyServer(chance: Chance, faultPercent: number): Promise<FaultyServer> {
  const reported = new Map<string, Reported>();
  const faults = new Map<string, number>();
  let isHealed = false;

  const server = await loopbackServer((response, received) => {
    const serve = new Serving(response, received, reported);
    const name = !isHealed && chance.percent(faultPercent) ? chance.pick(names) : undefined;
    if (name === undefined) return serve.whole(answerTo(received));
    faults.set(name, (faults.get(name) ?? 0) + 1);
    mix[name]?.(serve, chance);
  });
  const heal = () => {
    isHealed = true;
  };
  return Object.assign(server, { reported, faults, heal });
}

class Serving {
  readonly response: ServerResponse;
  readonly received: Received;
  readonly #reported: Map<string, Reported>;

  constructor(response: ServerResponse, received: Received, reported: Map<string, Reported>) {
    this.response = response;
    this.received = received;
    this.#reported = reported;
  }

  whole(said: Said, headers: Record<string, string> = {}, encode: (body: string) => string | Buffer = (body) => body) {
    const { id, events } = this.#begin(said);
    this.#reported.set(id, { ...usageOf(said), isSure: true });
    this.response.writeHead(200, { ...STREAM, ...headers }).end(encode(sse(...events)));
  }

  /** The beginning of an answer: without its last events, so that its end was not reported. */
  half(chance: Chance, isSure = true): string {
    const { id, events } = this.#begin(answerTo(this.received));
    const count = 1 + chance.below(events.length - 2);
    this.#reported.set(id, { input: usageOf(answerTo(this.received)).input, output: 1, isSure });
    return sse(...events.slice(0, count));
  }

  refuse(status: number, type: string, message: string, headers: Record<string, string> = {}) {
    const body = JSON.stringify({ type: "error", error: { type, message } });
    this.response.writeHead(status, headers).end(body);
  }

  page(status: number) {
    this.response.writeHead(status, { "content-type": "text/html" }).end("<title>Bad gateway</title>");
  }

  stream(part: string) {
    this.response.writeHead(200, STREAM).write(part);
  }

  #begin(said: Said): { id: string; events: SseEvent[] } {
    const id = freshId();
    return { id, events: eventsOf(said, id) };
  }
}

const usageOf = ({ usage = { input: 10, output: 5 } }: Said) => usage;

type Play = (serve: Serving, chance: Chance) => unknown;

const mix: Readonly<Record<string, Play>> = {
  "closes before a response": ({ response }) => response.destroy(),
  "resets before a response": ({ response }) => response.socket?.resetAndDestroy(),
  "hangs before the headers": () => {},
  "hangs in the middle": (serve, chance) => serve.stream(serve.half(chance)),
  "only pings": ({ response }) => {
    response.writeHead(200, STREAM);
    const timer = setInterval(() => response.write(sse({ type: "ping" })), 10);
    response.on("close", () => clearInterval(timer));
  },
  "ends in the middle": (serve, chance) => serve.response.writeHead(200, STREAM).end(serve.half(chance)),
  "closes in the middle": (serve, chance) => {
    serve.stream(serve.half(chance, false));
    setTimeout(() => serve.response.destroy(), READ_MS);
  },
  "resets in the middle": (serve, chance) => {
    serve.stream(serve.half(chance, false));
    setTimeout(() => serve.response.socket?.resetAndDestroy(), READ_MS);
  },
  "an error event in the middle": (serve, chance) => {
    const error = sse({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    serve.response.writeHead(200, STREAM).end(serve.half(chance) + error);
  },
  "200 without an event": ({ response }) => response.writeHead(200, STREAM).end(),
  "half a character": ({ response }) => response.writeHead(200, STREAM).end(Buffer.from("data: 🦉").subarray(0, 8)),
  "a compressed answer": (serve) => serve.whole(answerTo(serve.received), { "content-encoding": "gzip" }, gzipSync),
  "closes when idle": (serve) => {
    serve.whole(answerTo(serve.received));
    serve.response.on("finish", () => setTimeout(() => serve.response.socket?.destroy(), 1));
  },
  "429": (serve) => serve.refuse(429, "rate_limit_error", "slow down", { "retry-after": "0.01" }),
  "529": (serve) => serve.refuse(529, "overloaded_error", "Overloaded"),
  "500": (serve) => serve.refuse(500, "api_error", "oops"),
  "408": (serve) => serve.refuse(408, "timeout_error", "too slow"),
  "a page of a proxy": (serve) => serve.page(502),
  "the prompt is too long": (serve) =>
    serve.refuse(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
  "cut at the output limit": (serve) => serve.whole({ ...text("I was about to"), stop: "max_tokens" }),
  "an empty answer": (serve) => serve.whole({ blocks: [] }),
  "a blank answer": (serve) => serve.whole(text(" \n")),
  "only thinking": (serve) => serve.whole({ blocks: [{ type: "thinking", thinking: "hm", signature: "s" }] }),
  "a pause": (serve) => serve.whole({ ...text(PAUSED), stop: "pause_turn" }),
  "input that is no JSON": (serve) =>
    serve.whole({ blocks: [use(`toolu_broken_${freshId()}`, "Bash", '{"command": "rm -r')] }),
};

const names = Object.keys(mix);
