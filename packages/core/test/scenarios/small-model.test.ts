import { createEngine, type EngineOptions, type Tool } from "@pawl/core";
import { parseScenario, says, scenarioModel, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { answers200, text } from "../recovery/answers.ts";
import { serverEnv } from "../recovery/live-session.ts";
import { bodyOf } from "../recovery/wire.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { lines, place, turn } from "./engine-harness.ts";

/** Asks the small model what it is given, and says so when there is none. */
const oracle: Tool = {
  name: "Oracle",
  description: "Asks.",
  inputSchema: { type: "object" },
  maxResultChars: 1_000,
  origin: "sdk",
  parse: (input) => ({ ok: true, input }),
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run(_input, { askSmallModel, signal }) {
    if (askSmallModel === undefined) return { content: "There is no small model.", isError: true };
    return { content: await askSmallModel({ system: "Short.", prompt: "the sky?", maxTokens: 20, signal }) };
  },
};

async function asked(options: EngineOptions, env: Record<string, string> = {}) {
  await using at = await place();
  const engine = await createEngine({
    customTools: [oracle],
    allowedTools: ["Oracle"],
    ...at.options,
    ...options,
    env: { ...at.options.env, ...env },
  });
  try {
    const { frames, result } = await turn(engine, "go");
    const results = frames.flatMap((frame) => (frame.type === "user" ? [frame.message.content] : [])).flat();
    const content = results.find((block) => typeof block === "object" && block.type === "tool_result");
    const notices = frames.flatMap((frame) =>
      frame.type === "system" && frame.subtype === "informational" ? [frame.content] : [],
    );
    return { content, notices, result, lines: await lines(engine.transcriptPath) };
  } finally {
    await engine.close();
  }
}

const steps = [{ answer: [{ tool: "Oracle", input: {} }] }, { answer: [{ text: "Done." }] }];
const scenario = async (more: object = {}) =>
  scenarioModel(await parseScenario(JSON.stringify({ version: 1, steps, ...more }), "asks.yaml"));

test("a scenario's own small model answers by what the question holds, and takes none of its steps", async () => {
  const smallModel = [
    { contains: "the sea", answer: "Green." },
    { contains: "the sky", answer: "Blue." },
  ];
  const model = await scenario({ smallModel });
  const done = await asked({ model });

  expect(done.content).toMatchObject({ content: "Blue." });
  expect(done.result.result).toBe("Done.");
  expect(model.report()).toMatchObject({ requests: 2, unusedSteps: [] });
  expect(Object.keys(done.result.modelUsage)).toEqual(["scripted", "scripted-small"]);
  const ledger = done.lines.filter(({ kind }) => kind === "ledger");
  expect(ledger.map(({ source, model: id }) => [source, id])).toEqual([
    ["sdk", "scripted"],
    ["side", "scripted-small"],
    ["sdk", "scripted"],
  ]);
  expect(JSON.stringify(done.lines.filter(({ type }) => type !== "pawl"))).not.toContain("the sky?");
});

test("a question that the scenario's small model has no answer for fails with what was asked", async () => {
  const done = await asked({ model: await scenario({ smallModel: [{ contains: "the sea", answer: "Green." }] }) });

  expect(done.content).toMatchObject({ is_error: true, content: expect.stringContaining('"the sky?"') });
});

test("a scripted run without one has no small model, whatever the environment names", async () => {
  const done = await asked({ model: await scenario() }, { ANTHROPIC_SMALL_FAST_MODEL: "haiku" });

  expect(done.content).toMatchObject({ content: "There is no small model." });
  expect(done.notices).toEqual([]);
});

test("the small model of an option is asked", async () => {
  const model = scriptedModel([uses("Oracle"), says("Done.")]);
  const small = scriptedModel([says("Blue.")]);
  const done = await asked({ model, smallModel: small });

  expect(done.content).toMatchObject({ content: "Blue." });
  expect(small.requests).toHaveLength(1);
});

test("beside a model of the provider its small one is asked, or the one that a variable names", async () => {
  await using server = await loopbackServer((response, received) => {
    const { model, messages } = bodyOf(received);
    if (model.includes("sonnet") && messages.length === 1) {
      return answers200({ blocks: [{ type: "tool_use", id: "toolu_1", name: "Oracle", input: {} }] })(response);
    }
    answers200(text(model.includes("sonnet") ? "Done." : "Blue."))(response);
  });
  const env = serverEnv(server.url);
  const models = () => server.received.splice(0).map((received) => bodyOf(received).model);
  const options = { model: "claude-sonnet-5-5", maxBudgetUsd: 1 };

  expect((await asked(options, env)).content).toMatchObject({ content: "Blue." });
  expect(models()).toEqual(["claude-sonnet-5-5", "claude-haiku-5-5", "claude-sonnet-5-5"]);

  await asked(options, { ...env, ANTHROPIC_DEFAULT_HAIKU_MODEL: "claude-haiku-4-5" });
  expect(models()[1]).toBe("claude-haiku-4-5");

  const unpriced = await asked(options, { ...env, PAWL_SMALL_FAST_MODEL: "house/model" });
  expect(unpriced.content).toMatchObject({ content: "There is no small model." });
  expect(unpriced.notices).toEqual([expect.stringContaining("The small model house/model is left out")]);
});

test("what the small model used stands in the result's usage with all else", async () => {
  const model = scriptedModel([
    { ...uses("Oracle"), usage: { input: 10, output: 1 } },
    says("Done.", { usage: { input: 20, output: 2 } }),
  ]);
  const small = scriptedModel([says("Blue.", { usage: { input: 400, output: 40 } })]);
  const { result } = await asked({ model, smallModel: small });

  expect(result.usage).toMatchObject({ input_tokens: 430, output_tokens: 43 });
});
