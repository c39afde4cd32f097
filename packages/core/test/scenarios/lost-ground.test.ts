import { readdir, rm, writeFile } from "node:fs/promises";
import { createEngine, type EngineOptions, type SdkResult, tool } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test, vi } from "vitest";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

/** What the session stands on goes away while the model works. */
async function turnThatLoses(options: EngineOptions, lose: () => Promise<void>): Promise<SdkResult> {
  const break_it = tool("break_it", "Breaks it.", { type: "object" }, async () => {
    await lose();
    return "broken";
  });
  const model = scriptedModel([uses("break_it", {}), says("Never said.")]);
  const engine = await createEngine({ ...options, model, customTools: [break_it], allowedTools: ["break_it"] });
  const { result } = await turn(engine, "go");
  await engine.close();
  expect(model.requests).toHaveLength(1);
  return result;
}

const failed = { subtype: "error_during_execution", is_error: true, terminal_reason: "turn_setup_failed" };

test("a working directory that is deleted ends the turn, which says so; what was acknowledged is on disk", async () => {
  await using at = await place();
  const cwd = at.project.path("work");
  await at.project.write("work/a.txt", "alpha");

  const result = await turnThatLoses({ ...at.options, cwd }, () => rm(cwd, { recursive: true }));

  expect(result).toMatchObject({
    ...failed,
    errors: [`The working directory ${cwd} is gone: put it back, or start in another one.`],
  });
  await at.project.write("work/a.txt", "alpha");
  const model = scriptedModel([says("Here again.")]);
  const engine = await createEngine({ ...at.options, cwd, model, continueSession: true });
  const next = await turn(engine, "go on");
  expect(next.result).toMatchObject({ is_error: false, result: "Here again." });
  expect(JSON.stringify(model.requests[0]?.messages)).toContain("broken");
  expect((await lines(engine.transcriptPath)).length).toBeGreaterThan(4);
  await engine.close();
});

test("from a directory below that is gone the session goes back to its start, and a call that meant the old one does not run", async () => {
  await using at = await place({ "sub/a.txt": "alpha" });
  const lose = tool("lose", "Loses it.", { type: "object" }, async () => {
    await rm(at.project.path("sub"), { recursive: true });
    return "lost";
  });
  const model = scriptedModel([
    uses("Bash", { command: "cd sub" }),
    [uses("lose", {}), uses("Write", { file_path: "b.txt", content: "beta" })],
    uses("Bash", { command: "pwd" }),
    says("Done."),
  ]);
  const { result } = await oneTurn({
    ...at.options,
    ...{ model, customTools: [lose], permissionMode: "bypassPermissions" },
  });

  expect(result).toMatchObject({ is_error: false, result: "Done." });
  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last).toContain(`Nothing was run. The working directory ${at.project.path("sub")} is gone`);
  expect(last).toContain(JSON.stringify(at.project.root).slice(1, -1));
  expect(await readdir(at.project.root)).toEqual([]);
});

test("between two prompts it goes back, too, and the model is told", async () => {
  await using at = await place({ "sub/a.txt": "alpha" });
  const model = scriptedModel([
    uses("Bash", { command: "cd sub" }),
    says("There."),
    uses("Bash", { command: "pwd" }),
    says("Done."),
  ]);
  const engine = await createEngine({ ...at.options, model, permissionMode: "bypassPermissions" });
  await turn(engine, "go");
  await rm(at.project.path("sub"), { recursive: true });
  const { result } = await turn(engine, "go on");
  await engine.close();

  expect(result).toMatchObject({ is_error: false, result: "Done." });
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain(
    `The working directory ${at.project.path("sub")} is gone: the session is back in ${at.project.root}`,
  );
});

test.each([
  ["is deleted", async () => {}],
  ["becomes a file", (home: string) => writeFile(home, "")],
])("a config home that %s ends the turn, which names the session's file; closing is quiet", async (_how, replace) => {
  await using at = await place();
  const home = at.home.path("config");
  const options = { ...at.options, env: { ...at.options.env, PAWL_CONFIG_DIR: home } };

  const result = await turnThatLoses(options, async () => {
    await rm(home, { recursive: true });
    await replace(home);
  });

  expect(result).toMatchObject(failed);
  expect(result.errors?.[0]).toContain(`${home}/projects/`);
  expect(result.errors?.[0]).toContain("cannot write the session");
});

test("a clock that goes backwards gives no negative time", async () => {
  await using at = await place();
  let now = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now -= 1_000;
    return now;
  });
  try {
    const model = scriptedModel([uses("Bash", { command: "true" }), says("Done.")]);
    const { result } = await oneTurn({ ...at.options, model, allowedTools: ["Bash"] });

    expect(result).toMatchObject({ result: "Done.", duration_ms: 0, duration_api_ms: 0, ttft_ms: 0 });
  } finally {
    clock.mockRestore();
  }
});
