import { existsSync } from "node:fs";
import { createEngine, type QueryEngine, tool } from "@pawl/core";
import { functionModel, says, scriptedModel, stalls, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

describe("stage 1: the turn begins", () => {
  test("a second call while one runs is refused, and the running turn is not disturbed", async () => {
    await using at = await place();
    const engine = await createEngine({ ...at.options, model: scriptedModel([says("Done.")]) });
    const running = engine.submitMessage("go");
    await running.next();

    await expect(engine.submitMessage("and this").next()).rejects.toMatchObject({ code: "engine_busy" });
    const frames = [];
    for await (const frame of running) frames.push(frame);
    expect(frames.at(-1)).toMatchObject({ type: "result", subtype: "success", result: "Done." });
    await engine.close();
  });

  test("an empty prompt, a repeated uuid and a closed engine are refused", async () => {
    await using at = await place();
    const engine = await createEngine({ ...at.options, model: scriptedModel([says("Done.")]) });
    const uuid = "11111111-1111-4111-8111-111111111111";

    await expect(turn(engine, " \n")).rejects.toMatchObject({ code: "bad_prompt" });
    await expect(turn(engine, [])).rejects.toMatchObject({ code: "bad_prompt" });
    await turn(engine, "go", { uuid });
    await expect(turn(engine, "again", { uuid })).rejects.toMatchObject({ code: "repeated_uuid" });
    await engine.close();
    await expect(turn(engine, "go")).rejects.toMatchObject({ code: "engine_closed" });
  });

  test("an unsupported or oversized block is refused before anything is sent", async () => {
    await using at = await place();
    const model = scriptedModel([]);
    const engine = await createEngine({ ...at.options, model });
    const image = { type: "image", source: { type: "base64", media_type: "image/bmp", data: "Qk0=" } };

    await expect(turn(engine, [image])).rejects.toMatchObject({ code: "bad_prompt" });
    expect(model.requests).toEqual([]);
    await engine.close();
  });

  test("a signal that is aborted already: nothing is sent", async () => {
    await using at = await place();
    const abortController = new AbortController();
    abortController.abort();
    const model = scriptedModel([]);

    const { result } = await oneTurn({ ...at.options, model, abortController });

    expect(result).toMatchObject({
      subtype: "error_during_execution",
      terminal_reason: "aborted_streaming",
      is_error: true,
    });
    expect(model.requests).toEqual([]);
  });

  test("the next turn works after an abort", async () => {
    await using at = await place();
    const model = scriptedModel([stalls(), says("Here again.")]);
    const engine = await createEngine({ ...at.options, model });
    const untilAsked = setInterval(() => model.requests.length > 0 && engine.interrupt("SIGINT"), 5);
    const frames = [];
    for await (const frame of engine.submitMessage("go")) frames.push(frame);
    clearInterval(untilAsked);
    const second = await turn(engine, "go on");

    expect(frames.at(-1)).toMatchObject({ terminal_reason: "aborted_streaming", errors: ["Interrupted by SIGINT"] });
    expect(second.result).toMatchObject({ subtype: "success", result: "Here again." });
    await engine.close();
  });

  test("what is a snapshot holds from the next turn on: the model", async () => {
    await using at = await place({
      "other.json": JSON.stringify({ version: 1, name: "o", steps: [{ answer: [{ text: "Other." }] }] }),
    });
    let engine: QueryEngine | undefined;
    const first = functionModel(async (_request, index) => {
      if (index > 0) return [{ type: "text", text: "Same model." }];
      await engine?.setModel("scripted:other.json");
      return [{ type: "tool_use", id: "t1" as never, name: "Glob", input: { pattern: "*" } }];
    });
    engine = await createEngine({ ...at.options, model: first });

    const turnOne = await turn(engine, "go");
    const turnTwo = await turn(engine, "and now");
    expect([turnOne.result.result, turnTwo.result.result]).toEqual(["Same model.", "Other."]);
    await engine.close();
  });

  test("what is live holds at once: a stricter permission mode", async () => {
    await using at = await place();
    let engine: QueryEngine | undefined;
    const model = functionModel(async (_request, index) => {
      if (index === 2) return [{ type: "text", text: "Done." }];
      if (index === 1) await engine?.setPermissionMode("default");
      return [
        {
          type: "tool_use",
          id: `t${index}` as never,
          name: "Write",
          input: { file_path: `${index}.txt`, content: "x" },
        },
      ];
    });
    engine = await createEngine({ ...at.options, model, permissionMode: "acceptEdits" });

    const { result } = await turn(engine, "go");

    expect(result.permission_denials.map((denial) => denial.tool_input)).toEqual([
      { file_path: "1.txt", content: "x" },
    ]);
    expect([existsSync(at.project.path("0.txt")), existsSync(at.project.path("1.txt"))]).toEqual([true, false]);
    await engine.close();
  });
});

describe("stage 2: the decision is wrapped whole", () => {
  const write = (name: string) => uses("Write", { file_path: name, content: "x" });

  test.each([
    ["a rule", { disallowedTools: ["Edit(no.txt)"], permissionMode: "bypassPermissions" as const }],
    ["the mode", { permissionMode: "dontAsk" as const }],
    ["nobody to ask", {}],
    ["the host", { canUseTool: async () => ({ behavior: "deny" as const, message: "not today" }) }],
    ["a host that fails", { canUseTool: async () => Promise.reject(new Error("host broken")) }],
  ])("a denial by %s is recorded, and told to the model", async (who, options) => {
    await using at = await place();
    const model = scriptedModel([write("no.txt"), says("I could not.")]);

    const { result, frames } = await oneTurn({ ...at.options, ...options, model });

    const [denial] = result.permission_denials;
    expect(denial).toMatchObject({ tool_name: "Write", tool_input: { file_path: "no.txt", content: "x" } });
    // A file that a rule denies is not announced beside its result; every other denial is.
    const announced = frames.filter((frame) => frame.type === "system" && frame.subtype === "permission_denied");
    expect(announced).toHaveLength(who === "a rule" ? 0 : 1);
    expect(model.requests[1]?.messages.at(-1)?.content[0]).toMatchObject({ type: "tool_result", is_error: true });
    expect(result).toMatchObject({ subtype: "success", is_error: false, result: "I could not." });
  });

  test("what the host allows runs, with the input that it changed", async () => {
    await using at = await place();
    const model = scriptedModel([write("asked.txt"), says("Done.")]);
    const canUseTool = async (_tool: string, input: Record<string, unknown>) => ({
      behavior: "allow" as const,
      updatedInput: { ...input, file_path: "changed.txt" },
    });

    const { result } = await oneTurn({ ...at.options, model, canUseTool });

    expect(result.permission_denials).toEqual([]);
    expect(await at.project.read("changed.txt")).toBe("x");
  });

  test("a host that denies with an interrupt ends the turn", async () => {
    await using at = await place();
    const canUseTool = async () => ({ behavior: "deny" as const, message: "stop", interrupt: true });

    const { result, violations } = await oneTurn({ ...at.options, model: scriptedModel([write("x")]), canUseTool });

    expect(result).toMatchObject({ terminal_reason: "aborted_tools", subtype: "error_during_execution" });
    expect(violations).toEqual([]);
  });
});

describe("stage 5: on disk before the first request", () => {
  test("the user message stands in the transcript when the model is asked", async () => {
    await using at = await place();
    let engine: QueryEngine | undefined;
    let seen: unknown[] = [];
    const model = functionModel(async () => {
      seen = await lines(engine?.transcriptPath ?? null);
      return [{ type: "text", text: "Done." }];
    });
    engine = await createEngine({ ...at.options, model });
    await turn(engine, "remember this");

    expect(JSON.stringify(seen)).toContain("remember this");
    await engine.close();
  });

  test("a transcript that cannot be written ends the turn with an error that says so, before anything is sent", async () => {
    await using at = await place();
    await at.home.write("projects", "a file where the folder should be");
    const model = scriptedModel([]);

    const { result } = await oneTurn({ ...at.options, model });

    expect(result).toMatchObject({
      subtype: "error_during_execution",
      is_error: true,
      terminal_reason: "turn_setup_failed",
    });
    expect(result.errors?.[0]).toContain("projects");
    expect(model.requests).toEqual([]);
  });
});

describe("stages 6 to 8: the frames and the result", () => {
  test("a turn with tools gives init, a frame for each block and result, and one result last", async () => {
    await using at = await place({ "a.txt": "alpha\n" });
    const model = scriptedModel([
      [says("I look."), uses("Read", { file_path: "a.txt" }, "r1")],
      says("It says alpha."),
    ]);

    const { frames, result } = await oneTurn({ ...at.options, model });

    expect(frames.map((frame) => (frame.type === "system" ? `system/${frame.subtype}` : frame.type))).toEqual([
      "system/init",
      "assistant",
      "assistant",
      "user",
      "assistant",
      "result",
    ]);
    expect(frames[3]).toMatchObject({
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "r1", content: expect.stringContaining("1\talpha") }],
      },
      tool_use_result: { type: "text", file: { filePath: at.project.path("a.txt") } },
    });
    expect(result).toMatchObject({
      subtype: "success",
      is_error: false,
      num_turns: 2,
      result: "It says alpha.",
      total_cost_usd: null,
    });
  });

  test("usage is the sum of what the model reported, for the turn and for the session", async () => {
    await using at = await place();
    const usage = { input: 10, output: 5 };
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([says("One.", { usage }), says("Two.", { usage })]),
    });

    const one = await turn(engine, "one");
    const two = await turn(engine, "two");

    expect(one.result.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    expect(two.result.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    expect(engine.usage).toMatchObject({ input: 20, output: 10 });
    expect(two.result.modelUsage["scripted"]).toMatchObject({ inputTokens: 20, outputTokens: 10, costUSD: null });
    await engine.close();
  });

  test("an error of the model is shown once, as an assistant frame and in the result", async () => {
    await using at = await place();
    const failure = { type: "overloaded", status: 529, phase: "headers", message: "Overloaded" } as const;
    const model = scriptedModel([...Array.from({ length: 10 }, () => ({ blocks: [], failure })), says("Better.")]);
    const engine = await createEngine({ ...at.options, model });

    const { frames, result } = await turn(engine, "go");

    expect(frames.filter((frame) => frame.type === "assistant")).toMatchObject([
      { error: "overloaded", message: { model: "<synthetic>" } },
    ]);
    expect(result).toMatchObject({
      subtype: "success",
      is_error: true,
      terminal_reason: "api_error",
      api_error_status: 529,
    });
    expect((await turn(engine, "again")).result.result).toBe("Better.");
    await engine.close();
  });

  test("leaving the generator early aborts the turn and leaves the session ready", async () => {
    await using at = await place();
    const model = scriptedModel([uses("Bash", { command: "sleep 20" }), says("Next.")]);
    const engine = await createEngine({ ...at.options, model, allowedTools: ["Bash"] });
    const startedAt = performance.now();
    for await (const frame of engine.submitMessage("go")) if (frame.type === "assistant") break;

    const { result } = await turn(engine, "and now");
    expect(result.result).toBe("Next.");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await engine.close();
  });
});

test("in-process tools run beside the built-in ones; a clash is reported and the built-in one wins", async () => {
  await using at = await place();
  const weather = tool(
    "weather",
    "The weather.",
    { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    async ({ city }) => `Sun in ${city}.`,
    { isReadOnly: true },
  );
  const clash = tool("Read", "Not this one.", { type: "object" }, async () => "wrong");
  const model = scriptedModel([uses("weather", { city: "Bern" }), uses("weather", {}), says("Done.")]);

  const { frames } = await oneTurn({ ...at.options, model, customTools: [weather, clash] });

  const results = model.requests.slice(1).map((request) => request.messages.at(-1)?.content[0]);
  expect(results[0]).toMatchObject({ content: "Sun in Bern." });
  expect(results[1]).toMatchObject({ is_error: true, content: expect.stringContaining("city") });
  expect(JSON.stringify(frames)).toContain('The tool \\"Read\\" is left out');
});

test.each([
  [{ behavior: "denied" }],
  [{ behavior: "Deny" }],
  [{ behavior: "ask" }],
  [{}],
  ["allow"],
  [false],
  [undefined],
  [{ behavior: "allow", updatedInput: "x" }],
])("a host's answer that is no plain allow is a recorded denial: %j", async (answer) => {
  await using at = await place();
  const model = scriptedModel([uses("Write", { file_path: "x.txt", content: "x" }), says("I could not.")]);
  // What an embedder in plain JavaScript may give.
  const canUseTool = (async () => answer) as never;

  const { result } = await oneTurn({ ...at.options, model, canUseTool });

  expect(existsSync(at.project.path("x.txt"))).toBe(false);
  expect(result.permission_denials).toHaveLength(1);
});

test("an unknown option, a zod object for a shape, and a handler without a result are said in words", async () => {
  await using at = await place();
  const broken = tool("broken", "", {}, (async () => 42) as never, { isReadOnly: true });
  const model = scriptedModel([uses("broken"), says("Done.")]);

  await expect(createEngine({ ...at.options, maxturns: 1 } as never)).rejects.toThrow(/maxturns.*maxTurns/);
  expect(() => tool("x", "", z.object({ a: z.string() }) as never, async () => "")).toThrow("give its shape");
  await oneTurn({ ...at.options, model, customTools: [broken] });
  expect(JSON.stringify(model.requests[1]?.messages)).toContain("its handler must give a text");
});
