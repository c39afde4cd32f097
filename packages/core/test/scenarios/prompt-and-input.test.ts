import { join } from "node:path";
import { createEngine, type EngineConfig, QueryEngine } from "@pawl/core";
import { memoryStore, says, scriptedModel, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { appStateStore } from "../../src/engine/app-state.ts";
import { createFileStateCache } from "../../src/files/file-state-cache.ts";
import { localFiles } from "../../src/files/local-files.ts";
import { localShell } from "../../src/shell/run.ts";
import { oneTurn, place, turn } from "./engine-harness.ts";

const textOfRequest = (request: { messages: readonly unknown[] } | undefined) => JSON.stringify(request?.messages);

describe("stage 3: prompt and context", () => {
  test("a custom prompt replaces the default one, an appended one is always last, and the user context stays", async () => {
    await using at = await place({ "CLAUDE.md": "Always say please." });
    const plain = scriptedModel([says("x")]);
    const custom = scriptedModel([says("x")]);
    const empty = scriptedModel([says("x")]);

    await oneTurn({ ...at.options, model: plain, appendSystemPrompt: "APPENDED" });
    await oneTurn({ ...at.options, model: custom, systemPrompt: "CUSTOM", appendSystemPrompt: "APPENDED" });
    await oneTurn({ ...at.options, model: empty, systemPrompt: "" });

    expect(plain.requests[0]?.system.length).toBeGreaterThan(3);
    expect(plain.requests[0]?.system.at(-1)).toBe("APPENDED");
    expect(custom.requests[0]?.system.filter((block) => block !== "")[0]).toBe("CUSTOM");
    expect(custom.requests[0]?.system.at(-1)).toBe("APPENDED");
    expect(empty.requests[0]?.system).toEqual([]);
    for (const model of [plain, custom, empty]) {
      expect(textOfRequest(model.requests[0])).toContain("Always say please.");
      expect(textOfRequest(model.requests[0])).toContain(at.project.root);
    }
  });

  test("setting sources can leave the project's instructions out", async () => {
    await using at = await place({ "CLAUDE.md": "Always say please." });
    const model = scriptedModel([says("x")]);

    await oneTurn({ ...at.options, model, settingSources: ["user"] });

    expect(textOfRequest(model.requests[0])).not.toContain("please");
  });
});

describe("stage 4: the input", () => {
  async function withCommand(run: EngineConfig["commands"][number]["run"]) {
    const at = await place();
    const contexts: number[] = [];
    const model = scriptedModel([says("One."), says("Two.")]);
    const store = memoryStore();
    const config = await configOf(at.options.cwd ?? "", model, store);
    const engine = new QueryEngine({
      ...config,
      commands: [{ name: "fresh", description: "", run }],
      userContext: async () => `context ${contexts.push(contexts.length)}`,
    });
    return { at, engine, model, store, contexts };
  }

  test("the context is built again after a command that replaces the message list", async () => {
    const { at, engine, model, store } = await withCommand(async (args, context) => {
      await context.clear();
      return { type: "prompt", content: `fresh: ${args}` };
    });
    await turn(engine, "first");
    const { frames } = await turn(engine, "/fresh start");

    expect(model.requests[1]?.messages).toHaveLength(1);
    const second = model.requests[1]?.messages[0]?.content.map((block) => (block.type === "text" ? block.text : ""));
    expect(second?.[0]).toMatch(/^context \d$/);
    expect(second?.[1]).toBe("fresh: start");
    expect(frames.filter((frame) => frame.type === "system" && frame.subtype === "command_completed")).toMatchObject([
      { command: "fresh" },
    ]);
    expect(store.entries.filter((entry) => entry.type === "projection")).toMatchObject([{ op: "clear" }]);
    await at[Symbol.asyncDispose]();
  });

  test("a command whose turn is aborted is not told as completed", async () => {
    const { at, engine } = await withCommand(async () => ({ type: "prompt", content: "go" }));
    const frames = [];
    for await (const frame of engine.submitMessage("/fresh")) {
      frames.push(frame);
      engine.interrupt();
    }

    expect(frames.some((frame) => frame.type === "system" && frame.subtype === "command_completed")).toBe(false);
    expect(frames.at(-1)).toMatchObject({ type: "result", is_error: true });
    await at[Symbol.asyncDispose]();
  });

  test("/clear, /model, /help and an unknown command are answered without the model", async () => {
    await using at = await place();
    const model = scriptedModel([says("One."), says("Two.")]);
    const engine = await createEngine({ ...at.options, model });
    await turn(engine, "first");

    const help = await turn(engine, "/help");
    const shown = await turn(engine, "/model");
    const wrong = await turn(engine, "/model nosuchmodel");
    const unknown = await turn(engine, "/nosuch");
    const cleared = await turn(engine, "/clear");
    await turn(engine, "/usr/bin is a path, not a command");

    expect(help.result.result).toContain("/clear");
    expect(shown.result).toMatchObject({ local_command: "model", num_turns: 0, result: "The model is scripted." });
    expect(wrong.result).toMatchObject({ is_error: true });
    expect(unknown.result).toMatchObject({ is_error: true });
    expect(cleared.frames.some((frame) => frame.type === "conversation_reset")).toBe(true);
    expect(model.requests).toHaveLength(2);
    expect(textOfRequest(model.requests[1])).not.toContain("first");
    await engine.close();
  });
});

describe("stage 4: @file mentions", () => {
  test("bring the file along after the prompt, and count as read; what is outside, denied or missing stays a mention", async () => {
    await using at = await place({ "src/a b.txt": "alpha\n", "c.txt": "gamma\n", ".env": "SECRET=1\n" });
    const outside = at.home.path("settings.json");
    await at.home.write("settings.json", "{}");
    const edit = uses("Edit", { file_path: "c.txt", old_string: "gamma", new_string: "delta" });
    const model = scriptedModel([edit, says("Done.")]);

    const { result } = await oneTurn(
      { ...at.options, model, permissionMode: "acceptEdits", disallowedTools: ["Read(.env)"] },
      `Compare @"src/a b.txt" with @c.txt, not @.env, @missing.txt or @${outside}, and mail me@example.org.`,
    );

    const content = model.requests[0]?.messages[0]?.content ?? [];
    const texts = content.slice(2).map((block) => (block.type === "text" ? block.text : ""));
    expect(texts).toEqual([
      expect.stringContaining("The file src/a b.txt, which the user mentioned:\n1\talpha"),
      expect.stringContaining("The file c.txt, which the user mentioned:\n1\tgamma"),
    ]);
    expect(await at.project.read("c.txt")).toBe("delta\n");
    expect(result.permission_denials).toEqual([]);
  });
});

async function configOf(
  cwd: string,
  model: EngineConfig["model"],
  store: EngineConfig["store"],
): Promise<EngineConfig> {
  return {
    sessionId: store.sessionId,
    cwd,
    version: "0.0.0",
    source: "sdk",
    apiKeySource: "none",
    model,
    resolveModel: async () => model,
    tools: [],
    commands: [],
    systemPrompt: () => [],
    userContext: async () => undefined,
    decide: async () => ({ behavior: "allow", because: { type: "mode", reason: "test" } }),
    appState: appStateStore({ mode: "default", cwd, directories: [cwd], parts: {} }),
    store,
    planPath: join(cwd, "plan.md"),
    files: localFiles(),
    shell: localShell({ env: {} }),
    readState: createFileStateCache(),
    clock: clock(),
  };
}

function clock(): EngineConfig["clock"] {
  let count = 0;
  return { now: () => 0, uuid: () => `u${++count}` as never, sleep: async () => {}, random: () => 0 };
}
