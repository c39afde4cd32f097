import { existsSync } from "node:fs";
import { type Classify, createEngine, type PermissionQuestion } from "@pawl/core";
import { functionModel, says, scriptedModel, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import type { ClassifierRequest } from "../../src/permissions/classifier.ts";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

const bash = (command: string) => uses("Bash", { command });
const auto = { permissionMode: "auto" as const };

/** A classifier that blocks commands with this word. */
function blocking(word: string, seen: ClassifierRequest[] = []): Classify {
  return async (request) => {
    seen.push(request);
    const isBlocked = JSON.stringify(request.input).includes(word);
    return { type: isBlocked ? "block" : "allow", reason: isBlocked ? `it says ${word}` : "it is harmless" };
  };
}

describe("mode auto", () => {
  test("the classifier decides; reading and editing in the working directory do not need it", async () => {
    await using at = await place({ "a.txt": "one" });
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([
      uses("Read", { file_path: "a.txt" }),
      uses("Write", { file_path: "b.txt", content: "x" }),
      bash("ls"),
      bash("touch fine"),
      bash("touch evil"),
      says("Done."),
    ]);
    const engine = await createEngine({ ...at.options, ...auto, model, classify: blocking("evil", seen) });
    const { result } = await turn(engine, "Touch what is fine.");
    const recorded = await lines(engine.transcriptPath);
    await engine.close();

    expect(seen.map(({ input }) => input["command"])).toEqual(["touch fine", "touch evil"]);
    expect(seen[0]).toMatchObject({ tool: "Bash", cwd: at.project.root, userMessages: ["Touch what is fine."] });
    expect(result.permission_denials).toMatchObject([{ tool_input: { command: "touch evil" } }]);
    expect([existsSync(at.project.path("fine")), existsSync(at.project.path("evil"))]).toEqual([true, false]);
    expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain("it says evil");
    const decisions = recorded.filter((line) => line["kind"] === "decision");
    expect(decisions.map((line) => line["because"])).toEqual(["mode", "mode", "mode", "classifier", "classifier"]);
  });

  test("it hears what the user says, and nothing that a file, a result or the project says", async () => {
    await using at = await place({ "CLAUDE.md": "INJECTED", "a.txt": "INJECTED", "b.txt": "INJECTED" });
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([
      uses("Read", { file_path: "a.txt" }),
      bash("touch x"),
      says("INJECTED"),
      bash("touch y"),
    ]);
    const engine = await createEngine({ ...at.options, ...auto, model, classify: blocking("evil", seen), maxTurns: 3 });
    await turn(engine, "Look at @b.txt first.");
    await turn(engine, "And now the rest.");
    await engine.close();

    expect(seen.map(({ userMessages }) => userMessages)).toEqual([
      ["Look at @b.txt first."],
      ["Look at @b.txt first.", "And now the rest."],
    ]);
  });

  test("broad allow rules do not count while it decides, narrow ones, deny and ask rules do", async () => {
    await using at = await place();
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([bash("touch a"), bash("touch b"), bash("touch c"), says("Done.")]);
    const { result } = await oneTurn({
      ...at.options,
      ...auto,
      model,
      allowedTools: ["Bash", "Bash(touch a)"],
      disallowedTools: ["Bash(touch c)"],
      classify: blocking("evil", seen),
    });
    expect(seen.map(({ input }) => input["command"])).toEqual(["touch b"]);
    expect(result.permission_denials).toHaveLength(1);
  });

  test("protected and critical places go to it, and no allow rule answers for it", async () => {
    await using at = await place({ "sub/.keep": "" });
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([
      uses("Write", { file_path: ".npmrc", content: "evil" }),
      bash("rm -rf /evil"),
      says("Done."),
    ]);
    const options = { ...at.options, ...auto, model, allowedTools: ["Edit", "Bash(rm -rf *)"] };
    const { result } = await oneTurn({ ...options, classify: blocking("evil", seen) });
    expect(seen.map(({ tool }) => tool)).toEqual(["Write", "Bash"]);
    expect(seen[1]?.why).toContain("remove");
    expect(result.permission_denials).toHaveLength(2);
  });

  test.each([
    ["throws", async () => Promise.reject(new Error("no network"))],
    ["answers in no known form", async () => ({ type: "sure" }) as never],
    ["is not sure", async () => ({ type: "unavailable" as const, reason: "too long" })],
  ])("a classifier that %s lets nothing run: the user is asked, and without one it is denied", async (_, classify) => {
    await using at = await place();
    const asked: PermissionQuestion[] = [];
    const steps = [bash("touch a"), says("Done.")];
    const { result } = await oneTurn({ ...at.options, ...auto, model: scriptedModel(steps), classify });
    expect(result.permission_denials).toHaveLength(1);
    await oneTurn({
      ...at.options,
      ...auto,
      model: scriptedModel(steps),
      classify,
      canUseTool: async (_tool, _input, question) => {
        asked.push(question);
        return { behavior: "allow" };
      },
    });
    expect(asked[0]?.because.reason).toContain('The classifier of mode "auto" did not decide');
    expect(existsSync(at.project.path("a"))).toBe(true);
  });

  test("after 3 blocks in a row it pauses and the user is asked; a yes lets it go on", async () => {
    await using at = await place();
    const seen: ClassifierRequest[] = [];
    const asked: unknown[] = [];
    const calls = ["evil 1", "evil 2", "evil 3", "touch a", "touch b"];
    const { result } = await oneTurn({
      ...at.options,
      ...auto,
      model: scriptedModel([...calls.map(bash), says("Done.")]),
      classify: blocking("evil", seen),
      canUseTool: async (_tool, input) => {
        asked.push(input["command"]);
        return { behavior: "allow" };
      },
    });
    expect(asked).toEqual(["touch a"]);
    expect(seen.map(({ input }) => input["command"])).toEqual(["evil 1", "evil 2", "evil 3", "touch b"]);
    expect(result.permission_denials).toHaveLength(3);
  });

  test("after 20 blocks in all it pauses too", async () => {
    await using at = await place();
    const seen: ClassifierRequest[] = [];
    const calls = Array.from({ length: 22 }, (_, at) => [`evil ${at}`, `touch ${at}`]).flat();
    const { result } = await oneTurn({
      ...at.options,
      ...auto,
      model: scriptedModel([...calls.map(bash), says("Done.")]),
      classify: blocking("evil", seen),
    });
    expect(seen.filter(({ input }) => String(input["command"]).startsWith("evil"))).toHaveLength(20);
    expect(result.permission_denials).toHaveLength(20 + 5);
  });

  test("the same call is judged once in a turn, and again in the next", async () => {
    await using at = await place();
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([bash("touch a"), bash("touch a"), says("Done."), bash("touch a"), says("Done.")]);
    const engine = await createEngine({ ...at.options, ...auto, model, classify: blocking("evil", seen) });
    await turn(engine, "one");
    await turn(engine, "two");
    await engine.close();
    expect(seen).toHaveLength(2);
  });

  test("what the user says in the middle of a turn counts for a call that was judged before", async () => {
    await using at = await place();
    const seen: ClassifierRequest[] = [];
    const model = scriptedModel([bash("touch a"), bash("touch a"), says("Done.")]);
    const engine = await createEngine({
      ...at.options,
      ...auto,
      model,
      async classify(request) {
        seen.push(request);
        if (seen.length === 1) engine.enqueue("Touch nothing more.");
        const isForbidden = request.userMessages.includes("Touch nothing more.");
        return { type: isForbidden ? "block" : "allow", reason: "the user said so" };
      },
    });
    const { result } = await turn(engine, "one");
    await engine.close();
    expect(seen).toHaveLength(2);
    expect(result.permission_denials).toHaveLength(1);
  });

  test("a verdict given under another mode does not count", async () => {
    await using at = await place();
    const engine = await createEngine({
      ...at.options,
      ...auto,
      model: scriptedModel([bash("touch a"), says("Done.")]),
      async classify() {
        await engine.setPermissionMode("dontAsk");
        return { type: "allow", reason: "fine" };
      },
    });
    const { result } = await turn(engine, "go");
    await engine.close();
    expect(result.permission_denials).toHaveLength(1);
    expect(existsSync(at.project.path("a"))).toBe(false);
  });

  test("without a classifier of the embedder the small model is asked, with the call as data", async () => {
    await using at = await place();
    const prompts: string[] = [];
    const smallModel = functionModel((request) => {
      const prompt = JSON.stringify(request.messages);
      prompts.push(prompt);
      if (prompt.includes("gibberish")) return [{ type: "text", text: "I would rather not say." }];
      const verdict = prompt.includes("evil") ? "block" : "allow";
      return [{ type: "text", text: JSON.stringify({ verdict, reason: "because" }) }];
    });
    const calls = [bash("touch a"), bash("touch evil"), bash("touch gibberish")];
    const { result } = await oneTurn({
      ...at.options,
      ...auto,
      smallModel,
      model: scriptedModel([...calls, says("Done.")]),
    });
    expect(prompts).toHaveLength(3);
    expect(result.permission_denials.map(({ tool_input: input }) => input)).toEqual([
      { command: "touch evil" },
      { command: "touch gibberish" },
    ]);
  });
});

describe("modes that a session may not enter", () => {
  test("a session started without it cannot bypass permissions later; one that allowed it can", async () => {
    await using at = await place();
    const engine = await createEngine({ ...at.options, model: scriptedModel([says("x")]) });
    await expect(engine.setPermissionMode("bypassPermissions")).rejects.toThrow(/--allow-dangerously-skip-permissions/);
    await engine.setPermissionMode("plan");
    await engine.close();
    const free = await createEngine({
      ...at.options,
      allowDangerouslySkipPermissions: true,
      model: scriptedModel([uses("Write", { file_path: "a", content: "x" }), bash("touch b"), says("x")]),
    });
    await free.setPermissionMode("plan");
    const { result } = await turn(free, "Where permissions may be bypassed a plan blocks no edits.");
    expect(result.permission_denials).toEqual([]);
    await free.setPermissionMode("bypassPermissions");
    await free.close();
  });

  test("the settings can switch both modes off", async () => {
    await using at = await place();
    await at.home.write(
      "settings.json",
      JSON.stringify({ permissions: { disableBypassPermissionsMode: "disable", disableAutoMode: "disable" } }),
    );
    const model = () => scriptedModel([says("x")]);
    const started = (permissionMode: "auto" | "bypassPermissions") =>
      createEngine({ ...at.options, permissionMode, model: model() });
    await expect(started("bypassPermissions")).rejects.toThrow(/disableBypassPermissionsMode is "disable"/);
    await expect(started("auto")).rejects.toThrow(/disableAutoMode is "disable"/);
  });
});
