import { createEngine, type EngineOptions, type SdkMessage } from "@pawl/core";
import { fails, type ScriptedAnswer, says, scriptedModel, stalls, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

type Answers = Parameters<typeof scriptedModel>[0];

/** A model with a known price: 2 dollars for a million tokens of input, 10 for output. */
const pricedModel = (answers: Answers) => scriptedModel(answers, { id: "claude-sonnet-5-5" });
/** 10 cents. */
const usage = { input: 50_000, output: 0 };
const exhausted = { subtype: "error_max_budget_usd", is_error: true, terminal_reason: "budget_exhausted" };

describe("structured output", () => {
  const outputSchema = {
    type: "object",
    properties: { city: { type: "string" }, people: { type: "integer" } },
    required: ["city", "people"],
    additionalProperties: false,
  };
  const right = { city: "Bern", people: 134_000 };
  const gives = (input: Record<string, unknown>) => uses("StructuredOutput", input);

  test("is what the tool was given, and the call ends the turn without another request", async () => {
    await using at = await place({ "a.txt": "Bern, 134000\n" });
    const model = scriptedModel([uses("Read", { file_path: "a.txt" }), gives(right)]);

    const { result, violations } = await oneTurn({ ...at.options, model, outputSchema });

    expect(result).toMatchObject({ subtype: "success", is_error: false, structured_output: right, num_turns: 2 });
    expect(JSON.parse(result.result ?? "")).toEqual(right);
    expect(model.requests[0]?.tools.at(-1)).toMatchObject({ name: "StructuredOutput", inputSchema: outputSchema });
    expect(violations).toEqual([]);
  });

  test("goes on when other calls came with it, and the text of the end stands beside it", async () => {
    await using at = await place({ "a.txt": "Bern\n" });
    const model = scriptedModel([[gives(right), uses("Read", { file_path: "a.txt" })], says("As you see.")]);

    const { result } = await oneTurn({ ...at.options, model, outputSchema });

    expect(result).toMatchObject({ result: "As you see.", structured_output: right, num_turns: 2 });
  });

  test("is asked for again when it does not fit, and when the model ends without it", async () => {
    await using at = await place();
    const model = scriptedModel([gives({ city: "Bern" }), says("Bern, I think."), gives(right)]);
    const engine = await createEngine({ ...at.options, model, outputSchema });

    const { result } = await turn(engine, "go");

    expect(result).toMatchObject({ subtype: "success", structured_output: right });
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("must have required property 'people'");
    expect(JSON.stringify(model.requests[2]?.messages.at(-1))).toContain("without calling StructuredOutput");
    expect((await transitions(engine.transcriptPath)).map(({ type, attempt }) => [type, attempt])).toEqual([
      ["structured_output_retry", 1],
      ["structured_output_retry", 2],
    ]);
    await engine.close();
  });

  const tooOften: readonly (readonly [string, ScriptedAnswer])[] = [
    ["ended without", says("No.")],
    ["given wrong, the same each time", gives({})],
  ];
  test.each(tooOften)("that is %s fails after five retries", async (_how, answer) => {
    await using at = await place();
    const model = scriptedModel(Array.from({ length: 7 }, () => answer));

    const { result, violations } = await oneTurn({ ...at.options, model, outputSchema });

    expect(result).toMatchObject({
      subtype: "error_max_structured_output_retries",
      is_error: true,
      terminal_reason: "structured_output_retry_exhausted",
    });
    expect(result).not.toHaveProperty("structured_output");
    expect(model.requests).toHaveLength(6);
    expect(violations).toEqual([]);
  });

  test.each(["PAWL_MAX_STRUCTURED_OUTPUT_RETRIES", "MAX_STRUCTURED_OUTPUT_RETRIES"])(
    "has its retries set by %s",
    async (name) => {
      await using at = await place();
      const model = scriptedModel([says("No."), says("No.")]);
      const env = { ...at.options.env, [name]: "0" };

      const { result } = await oneTurn({ ...at.options, env, model, outputSchema });

      expect([result.subtype, model.requests.length]).toEqual(["error_max_structured_output_retries", 1]);
    },
  );

  test("may be a list, and needs no leave, whatever the mode and the tools", async () => {
    await using at = await place();
    const options: EngineOptions = { ...at.options, permissionMode: "dontAsk", tools: [], disallowedTools: ["Read"] };
    const model = scriptedModel([gives({ value: [1, 2] })]);

    const { result, frames } = await oneTurn({
      ...options,
      model,
      outputSchema: { type: "array", items: { type: "integer" } },
    });

    expect(result).toMatchObject({ subtype: "success", structured_output: [1, 2], permission_denials: [] });
    expect(frames[0]).toMatchObject({ subtype: "init", tools: ["StructuredOutput"] });
  });

  test("belongs to its turn: the next one needs its own", async () => {
    await using at = await place();
    const second = { city: "Basel", people: 178_000 };
    const model = scriptedModel([gives(right), says("Basel."), gives(second)]);
    const engine = await createEngine({ ...at.options, model, outputSchema });

    const outputs = [await turn(engine, "Bern?"), await turn(engine, "Basel?")].map(({ result }) => result);
    await engine.close();

    expect(outputs).toMatchObject([{ structured_output: right }, { structured_output: second }]);
  });

  test("by a schema that is none is refused before anything else", async () => {
    await using at = await place();

    await expect(
      createEngine({ ...at.options, model: scriptedModel([]), outputSchema: { type: "no" } }),
    ).rejects.toThrow(/^--json-schema is not a valid JSON Schema: /);
  });
});

describe("a budget in dollars", () => {
  test("stops at exactly its limit, over all turns of the engine, and a spent one sends nothing", async () => {
    await using at = await place({ "a.txt": "x\n" });
    const read = { ...uses("Read", { file_path: "a.txt" }), usage };
    const model = pricedModel([says("One.", { usage }), read, read, says("Never asked for.")]);
    const engine = await createEngine({ ...at.options, model, maxBudgetUsd: 0.3 });

    const one = await turn(engine, "one");
    const two = await turn(engine, "two");
    const three = await turn(engine, "three");

    expect(one.result).toMatchObject({ subtype: "success", result: "One." });
    expect(two.result).toMatchObject({ ...exhausted, errors: ["Reached maximum budget ($0.3)"], num_turns: 2 });
    expect(two.result.total_cost_usd).toBeCloseTo(0.3, 9);
    expect(three.result).toMatchObject({ ...exhausted, num_turns: 0 });
    expect(model.requests).toHaveLength(3);
    await engine.close();
  });

  test("is checked after the last answer too", async () => {
    await using at = await place();

    const { result } = await oneTurn({
      ...at.options,
      model: pricedModel([says("Done.", { usage })]),
      maxBudgetUsd: 0.1,
    });

    expect(result).toMatchObject(exhausted);
  });

  test("is the model's and the user's to know about once nine tenths are used", async () => {
    await using at = await place({ "a.txt": "x\n" });
    const read = uses("Read", { file_path: "a.txt" });
    const model = pricedModel([
      { ...read, usage: { input: 450_000, output: 0 } },
      says("Done.", { usage: { input: 1, output: 1 } }),
    ]);

    const { frames } = await oneTurn({ ...at.options, model, maxBudgetUsd: 1 });

    const told = frames.filter((frame) => frame.type === "system" && frame.subtype === "informational");
    const content = "More than nine tenths of the budget of $1 are used";
    expect(told).toMatchObject([{ content, level: "warning" }]);
    expect(model.requests[1]?.messages.at(-1)?.content).toMatchObject([
      { type: "tool_result" },
      { type: "text", text: expect.stringContaining("the budget of $1") },
    ]);
  });

  test("of a resumed session is new: what it had cost before does not count", async () => {
    await using at = await place();
    const first = await createEngine({ ...at.options, model: pricedModel([says("One.", { usage })]) });
    await turn(first, "one");
    await first.close();

    const model = pricedModel([says("Two.", { usage })]);
    const { result } = await oneTurn({ ...at.options, model, maxBudgetUsd: 0.15, resume: first.sessionId });

    expect(result).toMatchObject({ subtype: "success", total_cost_usd: 0.2 });
  });

  test("counts what a response cost that failed", async () => {
    await using at = await place();
    const failure = { type: "overloaded", status: 529, phase: "content", message: "Overloaded" } as const;
    const model = pricedModel([{ ...fails(failure), blocks: [{ text: "Half" }], usage }, says("Never asked for.")]);

    const { result } = await oneTurn({ ...at.options, model, maxBudgetUsd: 0.1 });

    expect(result).toMatchObject({ ...exhausted, total_cost_usd: 0.1, usage: { input_tokens: 50_000 } });
    expect(model.requests).toHaveLength(1);
  });

  test("is refused with a model of unknown price, at the start and later, and nothing is left locked", async () => {
    await using at = await place({
      "other.json": JSON.stringify({ version: 1, name: "o", steps: [{ answer: [{ text: "Other." }] }] }),
    });
    const sessionId = "22222222-2222-4222-8222-222222222222";
    const options = { ...at.options, sessionId, maxBudgetUsd: 1 };
    const unknown = {
      code: "bad_option",
      message: expect.stringContaining("price of the model scripted is not known"),
    };
    await expect(createEngine({ ...options, model: scriptedModel([]) })).rejects.toMatchObject(unknown);
    const engine = await createEngine({ ...options, model: pricedModel([says("Still here.", { usage })]) });

    await expect(engine.setModel("scripted:other.json")).rejects.toMatchObject(unknown);
    const command = await turn(engine, "/model scripted:other.json");
    const after = await turn(engine, "go");

    expect(command.result).toMatchObject({ is_error: true, result: expect.stringContaining("is not known") });
    expect(after.result).toMatchObject({ subtype: "success", result: "Still here." });
    await engine.close();
  });

  test("ends the turn when the server answers with a model of unknown price, and says so", async () => {
    await using at = await place();
    const model = { ...pricedModel([]), stream: scriptedModel([says("From elsewhere.")]).stream };

    const { result } = await oneTurn({ ...at.options, model, maxBudgetUsd: 1 });

    expect(result).toMatchObject({ ...exhausted, errors: [expect.stringContaining("is not known")] });
  });
});

describe("a task budget", () => {
  const todo = (status: string) => ({ content: "Test", status, activeForm: "Testing" });
  const lists = (status: string) => ({
    ...uses("TodoWrite", { todos: [todo(status)] }),
    usage: { input: 10, output: 5 },
  });
  const small = { usage: { input: 10, output: 5 } };

  test("ends a turn that goes on beyond it, and counts from 0 in the next one", async () => {
    await using at = await place({ "a.txt": "x\n" });
    const read = { ...uses("Read", { file_path: "a.txt" }), usage: { input: 60, output: 40, cacheRead: 5_000 } };
    const model = scriptedModel([read, says("Next.", small)]);
    const engine = await createEngine({ ...at.options, model, taskBudget: 100 });

    const one = await turn(engine, "one");
    const two = await turn(engine, "two");

    expect(one.result).toMatchObject({ ...exhausted, errors: ["Reached the task budget (100 tokens)"] });
    expect(two.result).toMatchObject({ subtype: "success", result: "Next." });
    await engine.close();
  });

  test("asks the model to go on with a to-do list that it leaves open, not with one of an earlier turn", async () => {
    await using at = await place();
    const model = scriptedModel([
      lists("pending"),
      says("I stop here.", small),
      lists("completed"),
      says("Now it is done.", small),
      lists("pending"),
      ...Array.from({ length: 4 }, () => says("I stop again.", small)),
      says("It is noon.", small),
    ]);
    const engine = await createEngine({ ...at.options, model, taskBudget: 100_000 });

    const one = await turn(engine, "test it");
    const two = await turn(engine, "again");
    const three = await turn(engine, "what time is it?");

    expect([one, two, three].map(({ result }) => result.result)).toEqual([
      "Now it is done.",
      "I stop again.",
      "It is noon.",
    ]);
    expect((await transitions(engine.transcriptPath)).map(({ type, attempt }) => [type, attempt])).toEqual([
      ["budget_continue", 1],
      ["budget_continue", 1],
      ["budget_continue", 2],
      ["budget_continue", 3],
    ]);
    await engine.close();
  });
});

describe("the time that a turn may take", () => {
  test.each([
    ["a model that says nothing", [stalls()]],
    ["a command that runs on", [uses("Bash", { command: "sleep 20" })]],
  ] as const)("ends %s, and the next turn works", async (_what, answers) => {
    await using at = await place();
    const model = scriptedModel([...answers, says("Here again.")]);
    const engine = await createEngine({ ...at.options, model, maxDurationMs: 400, allowedTools: ["Bash"] });
    const startedAt = performance.now();

    const one = await turn(engine, "go");
    const tookMs = performance.now() - startedAt;
    const two = await turn(engine, "and now?");

    expect(one.result).toMatchObject({ ...exhausted, errors: ["Reached the time that a turn may take (0.4 s)"] });
    expect(tookMs).toBeGreaterThanOrEqual(390);
    expect(tookMs).toBeLessThan(5_000);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("the time that this turn may take is over");
    expect(two.result).toMatchObject({ subtype: "success", result: "Here again." });
    await engine.close();
  });
});

test("a limit of tool calls ends the turn that goes beyond it", async () => {
  await using at = await place({ "a.txt": "x\n" });
  const read = (offset: number) => uses("Read", { file_path: "a.txt", offset });
  const model = scriptedModel([read(1), [read(1), uses("Write", { file_path: "b.txt", content: "x" })]]);

  const { result, violations } = await oneTurn({
    ...at.options,
    model,
    maxToolCalls: 2,
    permissionMode: "acceptEdits",
  });

  expect(result).toMatchObject({ ...exhausted, errors: ["Reached maximum number of tool calls (2)"] });
  await expect(at.project.read("b.txt")).rejects.toThrow();
  expect(violations).toEqual([]);
});

test.each([
  { maxBudgetUsd: 0 },
  { maxBudgetUsd: Number.NaN },
  { taskBudget: -1 },
  { maxDurationMs: 0.5 },
  { maxDurationMs: 2 ** 31 },
  { maxToolCalls: 0 },
])("%o is refused by its name", async (options) => {
  await using at = await place();

  await expect(createEngine({ ...at.options, model: pricedModel([]), ...options })).rejects.toMatchObject({
    code: "bad_option",
    message: expect.stringContaining(`Option ${Object.keys(options)[0]} is`),
  });
});

describe("the ledger", () => {
  test("has each response with what was reported, and result, session and transcript have the same sums", async () => {
    await using at = await place({ "a.txt": "x\n" });
    const cut = { type: "cut", phase: "content", message: "cut" } as const;
    const model = pricedModel([
      { ...fails(cut), blocks: [{ text: "Half" }], usage },
      says("Cut", { stop: "max_tokens", usage }),
      { ...uses("Read", { file_path: "a.txt" }), usage },
      says("Done.", { usage: { input: 0, output: 0 } }),
    ]);
    const engine = await createEngine({ ...at.options, model });

    const { result } = await turn(engine, "go");
    const entries = await ledgerOf(engine.transcriptPath);

    expect(entries.map(({ attempt, status, costUsd }) => [attempt, status, costUsd])).toEqual([
      [1, "failed", 0.1],
      [2, "ok", 0.1],
      [3, "ok", 0.1],
      [1, "ok", 0],
    ]);
    expect(new Set(entries.map(({ responseId }) => responseId)).size).toBe(4);
    expect(result.usage).toMatchObject({ input_tokens: 150_000, output_tokens: 0 });
    expect(engine.usage).toMatchObject({ input: 150_000, output: 0 });
    expect(result.total_cost_usd).toBeCloseTo(0.3, 9);
    await engine.close();
  });

  test("has a response that nobody waited for, with what had been reported when it began", async () => {
    await using at = await place();
    const model = pricedModel([[says("A beginning."), { ...stalls(), usage }]]);
    const engine = await createEngine({ ...at.options, model });

    const seen: SdkMessage[] = [];
    for await (const frame of engine.submitMessage("go")) {
      seen.push(frame);
      if (frame.type === "assistant") break;
    }

    expect(await ledgerOf(engine.transcriptPath)).toMatchObject([{ attempt: 1, status: "cancelled", costUsd: 0.1 }]);
    expect(engine.usage).toMatchObject({ input: 50_000, output: 0 });
    await engine.close();
  });

  test("has nothing of a request that was refused before it began", async () => {
    await using at = await place();
    const refused = { type: "invalid_request", status: 400, message: "no" } as const;
    const engine = await createEngine({ ...at.options, model: pricedModel([fails(refused)]) });

    const { result } = await turn(engine, "go");

    expect(await ledgerOf(engine.transcriptPath)).toEqual([]);
    expect(result).toMatchObject({ is_error: true, total_cost_usd: 0, usage: { input_tokens: 0 } });
    await engine.close();
  });
});

const recordsOf = async (path: string | null, kind: string) =>
  (await lines(path)).filter((line) => line["type"] === "pawl" && line["kind"] === kind);

const ledgerOf = (path: string | null) => recordsOf(path, "ledger");

async function transitions(path: string | null): Promise<{ type?: unknown; attempt?: unknown }[]> {
  return (await recordsOf(path, "transition")).map((line) => line["transition"] as object);
}
