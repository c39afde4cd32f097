import { existsSync } from "node:fs";
import { type CanUseTool, createEngine, type PermissionQuestion } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

const bash = (command: string) => uses("Bash", { command });
const write = (name: string) => uses("Write", { file_path: name, content: "x" });

/** A host that says yes to everything, and saves what is suggested when `saves` is set. */
function host(saves: boolean, asked: PermissionQuestion[] = []): CanUseTool {
  return async (_tool, _input, question) => {
    asked.push(question);
    return { behavior: "allow", ...(saves ? { updatedPermissions: question.suggestions } : {}) };
  };
}

const warningsIn = (frames: readonly { type: string }[]) =>
  frames.flatMap((frame) =>
    "level" in frame && frame.level === "warning" && "content" in frame ? [frame.content] : [],
  );

describe("what the host changes with its answer", () => {
  test("a suggested rule holds at once and is written to the local settings of the project", async () => {
    await using at = await place();
    const asked: PermissionQuestion[] = [];
    const steps = [bash("touch a"), bash("touch a"), bash("touch b"), says("Done.")];

    const { frames } = await oneTurn({ ...at.options, model: scriptedModel(steps), canUseTool: host(true, asked) });
    expect(warningsIn(frames)).toEqual([]);

    expect(asked.map(({ suggestions }) => suggestions.flatMap((each) => ("rules" in each ? each.rules : [])))).toEqual([
      [{ toolName: "Bash", ruleContent: "touch a" }],
      [{ toolName: "Bash", ruleContent: "touch b" }],
    ]);
    expect(asked[0]?.parts).toEqual([{ text: "touch a", isAskedAbout: true }]);
    const stored = JSON.parse(await at.project.read(".pawl/settings.local.json"));
    expect(stored.permissions.allow).toEqual(["Bash(touch a)", "Bash(touch b)"]);
  });

  test("what was saved in a folder counts in the next session, without a new question of trust", async () => {
    await using at = await place();
    const first = scriptedModel([bash("touch a"), says("Done.")]);
    await oneTurn({ ...at.options, model: first, canUseTool: host(true) });

    const { result, frames } = await oneTurn({ ...at.options, model: scriptedModel([bash("touch a"), says("Done.")]) });
    expect(result.permission_denials).toEqual([]);
    expect(warningsIn(frames)).toEqual([]);
  });

  test("an answer gives no consent to what a folder contains besides", async () => {
    const settings = { permissions: { allow: ["Bash(touch b)"] } };
    await using at = await place({ ".pawl/settings.json": JSON.stringify(settings) });
    const first = scriptedModel([bash("touch a"), says("Done.")]);
    await oneTurn({ ...at.options, model: first, canUseTool: host(true) });

    const { result } = await oneTurn({ ...at.options, model: scriptedModel([bash("touch b"), says("Done.")]) });
    expect(result.permission_denials).toHaveLength(1);
  });

  test("calls that wait for an answer are settled by the rule that another answer gives", async () => {
    await using at = await place();
    await using elsewhere = await place({ "first.txt": "one", "second.txt": "two" });
    const read = (name: string) => uses("Read", { file_path: elsewhere.project.path(name) });
    const withdrawn: unknown[] = [];
    const canUseTool: CanUseTool = async (_tool, { file_path: path }, { signal, suggestions }) => {
      if (String(path).endsWith("second.txt")) return { behavior: "allow", updatedPermissions: suggestions };
      return new Promise((_, reject) => {
        signal.addEventListener("abort", () => {
          withdrawn.push(path);
          reject(new Error("nobody needs the answer"));
        });
      });
    };
    const model = scriptedModel([[read("first.txt"), read("second.txt")], says("Done.")]);

    const { result } = await oneTurn({ ...at.options, model, canUseTool });

    expect(result.permission_denials).toEqual([]);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("one");
    expect(withdrawn).toEqual([elsewhere.project.path("first.txt")]);
  });

  test("a stricter mode or rule settles an open question too", async () => {
    await using at = await place();
    let ask: (question: PermissionQuestion) => void = () => {};
    const isAsked = new Promise<PermissionQuestion>((resolve) => {
      ask = resolve;
    });
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([bash("touch a"), says("Done.")]),
      canUseTool: (_tool, _input, question) => {
        ask(question);
        return new Promise(() => {});
      },
    });
    const running = turn(engine, "go");
    await isAsked;
    await engine.setPermissionMode("dontAsk");

    const { result } = await running;
    expect(result.permission_denials).toHaveLength(1);
    expect(existsSync(at.project.path("a"))).toBe(false);
    await engine.close();
  });

  test("an interrupt ends a question that nobody answers", async () => {
    await using at = await place();
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([bash("touch a"), says("Done.")]),
      canUseTool: (_tool, _input, { signal }) => {
        queueMicrotask(() => engine.interrupt());
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("withdrawn"))));
      },
    });
    const { result } = await turn(engine, "go");
    expect(result).toMatchObject({ terminal_reason: "aborted_tools" });
    expect(existsSync(at.project.path("a"))).toBe(false);
    await engine.close();
  });

  test.each([
    [[{ type: "addRules", rules: [{ toolName: "Bash(" }], behavior: "allow", destination: "session" }], "Bash("],
    [[{ type: "addRules", rules: [{ toolName: "*" }], behavior: "allow", destination: "session" }], "never matches"],
    [[{ type: "setMode", mode: "bypassPermissions", destination: "session" }], "was not enabled"],
    [[{ type: "setMode", mode: "yolo", destination: "session" }], "no mode"],
    [[{ type: "addDirectories", directories: ["missing"], destination: "session" }], "no directory"],
    [[{ type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "moon" }], "destination"],
    [[{ type: "grow", destination: "session" }], "no update of type"],
    ["all", "no list"],
  ])("updates that cannot be meant change nothing, and the person is told: %j", async (given, why) => {
    await using at = await place();
    const good = { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "session" };
    const updates = Array.isArray(given) ? [good, ...given] : given;
    let asked = 0;
    const canUseTool = (async () => {
      asked++;
      return { behavior: "allow", updatedPermissions: updates };
    }) as unknown as CanUseTool; // a host may be written without types
    const model = scriptedModel([bash("touch a"), bash("touch b"), says("Done.")]);

    const { frames, result } = await oneTurn({ ...at.options, model, canUseTool });

    expect(asked).toBe(2);
    expect(result.permission_denials).toEqual([]);
    const warnings = warningsIn(frames).filter((text) => String(text).startsWith("Permission updates were refused"));
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(why);
  });

  test("directories are added and taken away, the start directory never", async () => {
    await using at = await place();
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([write("a.txt"), bash("touch x"), says("Done.")]),
      canUseTool: async (tool) => ({
        behavior: "allow",
        updatedPermissions:
          tool === "Write"
            ? [{ type: "addDirectories", directories: [at.home.root], destination: "session" }]
            : [{ type: "removeDirectories", directories: [at.home.root, at.project.root], destination: "session" }],
      }),
    });
    await turn(engine, "go");
    const recorded = await lines(engine.transcriptPath);
    const dirs = recorded.filter((line) => line["part"] === "dirs").map((line) => line["value"]);
    expect(dirs).toEqual([[at.project.root, at.home.root], [at.project.root]]);
    await engine.close();
  });

  test("the journal tells what was asked, suggested and answered, by whom and in which mode", async () => {
    await using at = await place();
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([bash("touch a"), bash("touch b"), says("Done.")]),
      canUseTool: async (_tool, input) =>
        input["command"] === "touch a"
          ? { behavior: "allow", decisionClassification: "user_temporary" }
          : { behavior: "deny", message: "use mkdir", decisionClassification: "user_reject" },
    });
    const { result } = await turn(engine, "go");
    const recorded = await lines(engine.transcriptPath);
    await engine.close();
    const of = (kind: string) => recorded.filter((line) => line["kind"] === kind);
    expect(of("question")[0]).toMatchObject({ suggestions: [{ type: "addRules", destination: "localSettings" }] });
    expect(of("answer")).toMatchObject([
      { behavior: "allow", by: "user" },
      { behavior: "deny", by: "user" },
    ]);
    expect(of("decision")).toMatchObject([
      { behavior: "allow", because: "user", mode: "default" },
      { behavior: "deny", because: "user", mode: "default", reason: "use mkdir" },
    ]);
    const told = JSON.stringify(recorded.filter((line) => line["type"] === "user"));
    expect(told).toContain("The user doesn't want to proceed with this tool use.");
    expect(told).toContain("The user said:\\\\nuse mkdir".replace("\\\\n", "\\n"));
    expect(result.permission_denials).toHaveLength(1);
  });

  test("a session that goes on keeps what was forbidden for it, and asks again for what was allowed", async () => {
    await using at = await place();
    const updates = (["allow", "deny"] as const).map((behavior) => ({
      type: "addRules" as const,
      rules: [{ toolName: "Bash", ruleContent: behavior === "allow" ? "touch a" : "touch b" }],
      behavior,
      destination: "session" as const,
    }));
    const first = await createEngine({
      ...at.options,
      model: scriptedModel([write("x"), says("Done.")]),
      canUseTool: async () => ({ behavior: "allow", updatedPermissions: updates }),
    });
    await turn(first, "go");
    await first.close();

    const asked: PermissionQuestion[] = [];
    const { result } = await oneTurn({
      ...at.options,
      resume: first.sessionId,
      model: scriptedModel([bash("touch a"), bash("touch b"), says("Done.")]),
      canUseTool: host(false, asked),
    });
    expect(asked).toHaveLength(1);
    expect(result.permission_denials).toMatchObject([{ tool_input: { command: "touch b" } }]);
  });
});
