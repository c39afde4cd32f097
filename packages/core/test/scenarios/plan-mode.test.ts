import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CanUseTool, createEngine, violations } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { lines, oneTurn, place, turn } from "./engine-harness.ts";

const sessionId = "3f2b8c1e-5d64-4a7b-9c0d-1e2f3a4b5c6d";
const PLAN = "1. Rename it.\n2. Run the tests.\n";

const approves: CanUseTool = async () => ({ behavior: "allow" });

const planned = (planPath: string) => [
  [uses("EnterPlanMode", {})],
  [uses("Write", { file_path: "a.txt", content: "too early" })],
  [uses("Write", { file_path: planPath, content: PLAN })],
  [uses("ExitPlanMode", {})],
  [uses("Write", { file_path: "a.txt", content: "as planned" })],
  says("Done."),
];

const resultsOf = (engine: { messages: readonly { content: unknown }[] }) =>
  engine.messages.flatMap(({ content }) =>
    Array.isArray(content) ? content.filter(({ type }) => type === "tool_result").map((block) => block.content) : [],
  );

test("in plan mode only the plan is written, and approval goes back to the mode before", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const asked: [string, unknown][] = [];
  const engine = await createEngine({
    ...{ ...at.options, sessionId, permissionMode: "acceptEdits" },
    model: scriptedModel(planned(planPath)),
    async canUseTool(tool, input) {
      asked.push([tool, input]);
      return tool === "ExitPlanMode" ? { behavior: "allow" } : { behavior: "deny", message: "Not yet." };
    },
  });
  const { result } = await turn(engine, "rename it");

  expect(result.result).toBe("Done.");
  expect(asked).toEqual([
    ["Write", { file_path: "a.txt", content: "too early" }],
    ["ExitPlanMode", { plan: PLAN, planFilePath: planPath }],
  ]);
  expect(resultsOf(engine)).toEqual([
    expect.stringContaining(planPath),
    "Not yet.",
    expect.stringMatching(/^File created successfully at: /),
    expect.stringMatching(/^User has approved your plan\.[\s\S]*1\. Rename it\./),
    expect.stringMatching(/^File created successfully at: /),
  ]);
  expect(await readFile(join(at.project.root, "a.txt"), "utf8")).toBe("as planned");
  expect(violations(engine.messages, { as: "history" })).toEqual([]);
  await engine.close();
});

test("a plan that is not approved leaves plan mode on, and the model hears why", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const engine = await createEngine({
    ...{
      ...at.options,
      sessionId,
      model: scriptedModel([...planned(planPath).slice(0, 4), says("I will."), says("Yes.")]),
    },
    canUseTool: async () => ({ behavior: "deny", message: "Keep the old name as an alias." }),
  });
  await turn(engine, "rename it");

  expect(resultsOf(engine).at(-1)).toBe("Keep the old name as an alias.");
  const { frames } = await turn(engine, "go on");
  expect(frames).toContainEqual(expect.objectContaining({ subtype: "init", permissionMode: "plan" }));
  await engine.close();
});

test("a plan that the user changed is kept as changed", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const engine = await createEngine({
    ...{ ...at.options, sessionId, model: scriptedModel(planned(planPath)) },
    canUseTool: async (tool, input) =>
      tool === "ExitPlanMode"
        ? { behavior: "allow", updatedInput: { ...input, plan: "1. Only rename.\n" } }
        : { behavior: "allow" },
  });
  await turn(engine, "rename it");

  expect(resultsOf(engine)[3]).toMatch(/The user changed it first\.[\s\S]*1\. Only rename\./);
  expect(await readFile(planPath, "utf8")).toBe("1. Only rename.\n");
  await engine.close();
});

test("what is approved is the plan that was shown, also when its file changes meanwhile", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const engine = await createEngine({
    ...{ ...at.options, sessionId, model: scriptedModel(planned(planPath)) },
    async canUseTool(tool) {
      if (tool === "ExitPlanMode") await writeFile(planPath, "1. Delete it all.\n");
      return { behavior: "allow" };
    },
  });
  await turn(engine, "rename it");

  expect(resultsOf(engine)[3]).toMatch(/^User has approved your plan\.[\s\S]*1\. Rename it\./);
  expect(resultsOf(engine)[3]).not.toContain("Delete it all");
  expect(await readFile(planPath, "utf8")).toBe(PLAN);
  await engine.close();
});

test("a plan that the host empties is not approved", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const engine = await createEngine({
    ...{ ...at.options, sessionId, model: scriptedModel([...planned(planPath).slice(0, 4), says("ok")]) },
    canUseTool: async (_tool, input) => ({ behavior: "allow", updatedInput: { ...input, plan: " \n" } }),
  });
  const { frames } = await turn(engine, "rename it");
  expect(resultsOf(engine)[3]).toBe("The plan came back empty: it is not approved.");
  expect(frames).toContainEqual(expect.objectContaining({ subtype: "init" }));
  expect(await readFile(planPath, "utf8")).toBe(PLAN);
  await engine.close();
});

test("a resumed session that may not go back to the mode before goes on in the default one", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const first = await createEngine({
    ...{ ...at.options, sessionId, permissionMode: "bypassPermissions", allowDangerouslySkipPermissions: true },
    model: scriptedModel([...planned(planPath).slice(0, 1), says("Planning.")]),
  });
  await turn(first, "rename it");
  await first.close();

  const model = scriptedModel([...planned(planPath).slice(2, 4), says("Approved.")]);
  const options = { ...at.options, resume: sessionId, permissionMode: "plan", canUseTool: approves } as const;
  const second = await createEngine({ ...options, model });
  await turn(second, "go on");
  expect(resultsOf(second).at(-1)).toMatch(/^User has approved your plan\./);
  const modes = (await lines(second.transcriptPath)).filter(({ part }) => part === "mode");
  expect(modes.at(-1)).toMatchObject({ value: "default" });
  await second.close();
});

test.each([
  ["without plan mode", "default", /^<tool_use_error>Plan mode is not on/],
  ["without a plan", "plan", /^<tool_use_error>There is no plan yet: write it to /],
] as const)("leaving plan mode %s fails before anybody is asked", async (_what, permissionMode, text) => {
  await using at = await place();
  let isAsked = false;
  const engine = await createEngine({
    ...{ ...at.options, permissionMode, model: scriptedModel([[uses("ExitPlanMode", {})], says("ok")]) },
    async canUseTool() {
      isAsked = true;
      return { behavior: "allow" };
    },
  });
  await turn(engine, "go");
  expect(resultsOf(engine)).toEqual([expect.stringMatching(text)]);
  expect(isAsked).toBe(false);
  await engine.close();
});

test("with nobody to ask, plan mode cannot be left", async () => {
  await using at = await place();
  const planPath = join(at.home.root, "plans", `${sessionId}.md`);
  const model = scriptedModel([...planned(planPath).slice(0, 4), says("ok")]);
  const { result } = await oneTurn({ ...at.options, sessionId, model });
  expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual(["Write", "ExitPlanMode"]);
});

test("a link in the plan's place is not written through", async () => {
  await using at = await place({ "kept.txt": "kept" });
  const plans = join(at.home.root, "plans");
  await mkdir(plans);
  await symlink(join(at.project.root, "kept.txt"), join(plans, `${sessionId}.md`));
  const model = scriptedModel([
    [uses("Write", { file_path: join(plans, `${sessionId}.md`), content: PLAN })],
    says("ok"),
  ]);
  await oneTurn({ ...at.options, sessionId, model, permissionMode: "plan" });
  expect(await readFile(join(at.project.root, "kept.txt"), "utf8")).toBe("kept");
});

test("the model is told once of a plan mode that somebody else turned on, also after a resume, and of its end", async () => {
  await using at = await place();
  const notices = (engine: { messages: readonly { content: unknown }[] }) =>
    JSON.stringify(engine.messages).match(/Plan mode is (on|off)/g) ?? [];
  const options = { ...at.options, sessionId, permissionMode: "plan", canUseTool: approves } as const;
  const first = await createEngine({ ...options, model: scriptedModel([says("a"), says("b")]) });
  await turn(first, "one");
  await turn(first, "two");
  expect(notices(first)).toEqual(["Plan mode is on"]);
  await first.close();

  const { sessionId: _, ...rest } = options;
  const second = await createEngine({ ...rest, resume: sessionId, model: scriptedModel([says("c"), says("d")]) });
  await turn(second, "three");
  expect(notices(second)).toEqual(["Plan mode is on"]);
  await second.setPermissionMode("default");
  await turn(second, "four");
  expect(notices(second)).toEqual(["Plan mode is on", "Plan mode is off"]);
  await second.close();
});
