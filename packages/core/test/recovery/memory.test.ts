import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createEngine, type Model, type ModelEvent, type ModelRequest, tool } from "@pawl/core";
import { expect, test } from "vitest";
import { place } from "../scenarios/engine-harness.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const ROUNDS = isLong ? 2_000 : 400;
/** The first rounds load and warm what stays. */
const WARM_ROUNDS = ROUNDS / 4;
const RESULT_BYTES = 20_000;
/** What a round may leave beside its messages: ids that are never used again. A copy of a result would be five times as much. */
const MAX_LEFT_BYTES_PER_ROUND = 4_000;
/** With more, the model of the second test says that the prompt is too long: about a megabyte. */
const WINDOW_MESSAGES = 100;

setFlagsFromString("--expose_gc");
const collect = runInNewContext("gc") as () => void; // Node gives it no type: V8 puts it there for the flag above

/** What is alive. Bytes. */
async function alive(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    await new Promise(setImmediate);
    collect();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

type Measured = { round: number; aliveBytes: number; historyBytes: number };

/** One turn of many rounds, looked at each quarter. */
async function measured(model: Model, historyBytes: (messages: readonly unknown[]) => number): Promise<Measured[]> {
  await using at = await place();
  let round = 0;
  const fetch = tool("fetch", "Fetches.", { type: "object" }, async () => `${round} `.padEnd(RESULT_BYTES, "x"));
  const options = { model, tools: [], customTools: [fetch], allowedTools: ["fetch"] };
  await using engine = await createEngine({ ...at.options, ...options });
  const taken: Measured[] = [];
  for await (const frame of engine.submitMessage("go")) {
    if (frame.type !== "user") continue;
    round += 1;
    if (round % WARM_ROUNDS !== 0) continue;
    taken.push({ round, historyBytes: historyBytes(engine.messages), aliveBytes: await alive() });
  }
  expect(taken).toHaveLength(ROUNDS / WARM_ROUNDS);
  return taken;
}

/** Bytes that each round of the last three quarters has left. */
function leftPerRound(taken: readonly Measured[]): number {
  const beyond = taken.map(({ aliveBytes, historyBytes }) => aliveBytes - historyBytes);
  const perRound = ((beyond.at(-1) ?? 0) - (beyond[0] ?? 0)) / (ROUNDS - WARM_ROUNDS);
  if (isLong) process.stdout.write(`${JSON.stringify(taken)}: ${Math.round(perRound)} bytes a round\n`);
  return perRound;
}

type Said = Extract<ModelEvent, { type: "block_end" }>["block"] | { type: "prompt_too_long" };

/** Answers without reading the conversation: the time of a test must not grow with it. */
function quickModel(answering: (request: ModelRequest) => Said): Model {
  let answers = 0;
  const model = { id: "quick" as Model["id"], provider: "test" }; // an id is a branded string
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
  return {
    ...model,
    limits: { contextTokens: 250_000, maxOutputTokens: 32_000 },
    async *stream(request) {
      const block = answering(request);
      if (block.type === "prompt_too_long") {
        yield { type: "failure", failure: { type: "prompt_too_long", message: "prompt is too long" }, partial: [] };
        return;
      }
      yield { type: "message_start", id: `msg_${answers++}`, model: model.id };
      yield { type: "block_end", index: 0, block };
      yield { type: "message_end", stop: block.type === "tool_use" ? "tool_use" : "end_turn", usage };
    },
  };
}

let calls = 0;

function fetching(index: number): Said {
  if (index >= ROUNDS) return { type: "text", text: "Done." };
  calls += 1;
  const id = `toolu_${calls}` as Extract<Said, { type: "tool_use" }>["id"]; // an id is a branded string
  return { type: "tool_use", id, name: "fetch", input: { index } };
}

test(`${ROUNDS} rounds with results of 20 KB leave nothing but their messages (B69)`, async () => {
  let asked = 0;
  const taken = await measured(
    quickModel(() => fetching(asked++)),
    (messages) => JSON.stringify(messages).length,
  );

  expect(leftPerRound(taken)).toBeLessThan(MAX_LEFT_BYTES_PER_ROUND);
}, 300_000);

test(`${ROUNDS} rounds that are compacted again and again reach a plateau (B69)`, async () => {
  let asked = 0;
  let compactions = 0;
  const model = quickModel(({ tools, messages }) => {
    if (tools.length === 0) {
      compactions += 1;
      return { type: "text", text: "The user said go. Much was fetched." };
    }
    return messages.length > WINDOW_MESSAGES ? { type: "prompt_too_long" } : fetching(asked++);
  });

  const taken = await measured(model, () => 0);

  expect(compactions).toBeGreaterThanOrEqual(ROUNDS / 100);
  expect(leftPerRound(taken)).toBeLessThan(MAX_LEFT_BYTES_PER_ROUND);
}, 300_000);
