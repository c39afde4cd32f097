import { readFile, writeFile } from "node:fs/promises";
import { createEngine, type EngineOptions, query, type SdkMessage } from "@pawl/core";
import { functionModel, says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { lines, place, turn } from "./engine-harness.ts";

const never = new AbortController().signal;
const job = (command: string) => uses("Bash", { command, run_in_background: true, description: "Build" });
const free: EngineOptions = { permissionMode: "bypassPermissions" };

const subtypes = (frames: readonly SdkMessage[]) =>
  frames.flatMap((frame) => (frame.type === "system" ? [frame.subtype] : [frame.type]));

test("the end of a background command joins the running turn at its next round", async () => {
  await using at = await place();
  const model = scriptedModel([
    [job("true")],
    [uses("Bash", { command: "sleep 0.7" })],
    [uses("Bash", { command: "true" })],
    says("Built."),
  ]);
  const engine = await createEngine({ ...at.options, ...free, model });
  const { frames, result } = await turn(engine, "build it");

  const last = JSON.stringify(model.requests.at(-1)?.messages);
  expect(last).toContain("<task-notification>");
  expect(last).toContain('Background command \\"Build\\" completed (exit code 0)');
  expect(subtypes(frames)).toEqual(
    expect.arrayContaining(["task_started", "task_notification", "background_tasks_changed"]),
  );
  const notified = frames.find((frame) => frame.type === "system" && frame.subtype === "task_notification");
  expect(notified).toMatchObject({ status: "completed", summary: expect.stringContaining("Build") });
  const told = frames.find((frame) => frame.type === "user" && frame.origin !== undefined);
  expect(told).toMatchObject({ isSynthetic: true, origin: { kind: "task-notification" } });
  expect(result.origin).toBeUndefined();
  await engine.close();
});

test("a session whose process was killed while a command ran in the background goes on, and is told what it has lost", async () => {
  await using at = await place();
  const first = await createEngine({
    ...at.options,
    ...free,
    model: scriptedModel([[job("sleep 60")], says("Begun.")]),
  });
  await turn(first, "build it");
  const path = first.transcriptPath ?? "";
  const atTheKill = await readFile(path);
  await first.close();
  await writeFile(path, atTheKill);

  const model = scriptedModel([says("I see."), says("Again.")]);
  const second = await createEngine({ ...at.options, ...free, model, continueSession: true });
  await turn(second, "and?");
  const told = /Background task .*?Build.*? was ended when its session stopped/g;
  expect(JSON.stringify(model.requests[0]?.messages).match(told)).toHaveLength(1);
  await second.close();

  const third = await createEngine({ ...at.options, ...free, model, continueSession: true });
  await turn(third, "again");
  expect(JSON.stringify(model.requests[1]?.messages).match(told)).toHaveLength(1);
  await third.close();
});

test("an end that comes when no turn runs is told by a turn of its own, else with the next prompt", async () => {
  await using at = await place();
  const model = scriptedModel([
    [job("sleep 0.3")],
    says("Begun."),
    says("It is built."),
    [job("sleep 0.3; false")],
    says("Begun again."),
    says("It has failed."),
  ]);
  const engine = await createEngine({ ...at.options, ...free, model });
  await turn(engine, "build it");
  await engine.noticed(never);
  const frames: SdkMessage[] = [];
  for await (const frame of engine.submitNotices()) frames.push(frame);
  expect(subtypes(frames)[0]).toBe("init");
  expect(frames.at(-1)).toMatchObject({
    type: "result",
    result: "It is built.",
    origin: { kind: "task-notification" },
  });

  await turn(engine, "again");
  await engine.noticed(never);
  const { frames: next } = await turn(engine, "and?");
  const asked = JSON.stringify(model.requests.at(-1)?.messages.at(-1));
  expect(asked).toContain("failed with exit code 1");
  expect(asked).toContain("and?");
  const told = next.filter((frame) => frame.type === "user" && frame.origin?.kind === "task-notification");
  expect(JSON.stringify(told)).toContain("failed with exit code 1");
  await engine.close();
});

test("in a conversation of several prompts the end of a command starts a turn while the next prompt is waited for", async () => {
  await using at = await place();
  const model = scriptedModel([[job("sleep 0.2")], says("Begun."), says("Built."), says("Bye.")]);
  let goOn = () => {};
  const built = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  async function* prompts() {
    yield "build it";
    await built;
    yield "bye";
  }
  const results: unknown[] = [];
  for await (const frame of query({ prompt: prompts(), options: { ...at.options, ...free, model } })) {
    if (frame.type !== "result") continue;
    results.push(frame.result);
    if (frame.result === "Built.") goOn();
  }
  expect(results).toEqual(["Begun.", "Built.", "Bye."]);
});

test("TaskOutput waits for a task and TaskStop ends one, also by the names they had before", async () => {
  await using at = await place();
  const model = functionModel((request, index) => {
    const id = /ID: (\w+)\./.exec(JSON.stringify(request.messages))?.[1] ?? "";
    const calls = [
      uses("Bash", { command: "echo begun; sleep 0.3; echo done", run_in_background: true }),
      uses("BashOutput", { bash_id: id }),
      uses("Bash", { command: "echo again; sleep 600", run_in_background: true }),
    ];
    const call = calls[index];
    if (call !== undefined) return { blocks: call.blocks.map(block) };
    const second = [...JSON.stringify(request.messages).matchAll(/ID: (\w+)\./g)].at(-1)?.[1] ?? "";
    if (index === 3) return { blocks: uses("KillShell", { shell_id: second }).blocks.map(block) };
    return { blocks: [{ type: "text", text: "Done." }] };
  });
  const engine = await createEngine({ ...at.options, ...free, model });
  const { frames } = await turn(engine, "go");
  const results = frames.flatMap((frame) =>
    frame.type === "user" && frame.tool_use_result ? [frame.tool_use_result] : [],
  );
  expect(results).toMatchObject([
    { backgroundTaskId: expect.any(String) },
    { retrieval_status: "success", task: { status: "completed", output: "begun\ndone\n", exitCode: 0 } },
    { backgroundTaskId: expect.any(String) },
    { message: expect.stringContaining("Successfully stopped task"), command: "echo again; sleep 600" },
  ]);
  await engine.close();
});

let blocks = 0;
function block(given: object) {
  const { tool, input } = given as { tool: string; input: Record<string, unknown> };
  return { type: "tool_use", id: `toolu_own_${blocks++}`, name: tool, input } as never;
}

test("a task that is ended with its session is told in the next one", async () => {
  await using at = await place();
  const first = await createEngine({
    ...at.options,
    ...free,
    model: scriptedModel([[job("sleep 600")], says("Begun.")]),
  });
  await turn(first, "build it");
  await first.close();

  const model = scriptedModel([says("I see.")]);
  const second = await createEngine({ ...at.options, ...free, model, resume: first.sessionId });
  await turn(second, "is it built?");
  expect(JSON.stringify(model.requests[0]?.messages)).toContain('Background command \\"Build\\" was stopped');
  await second.close();
});

test("the output of a task can be read by Read while it runs, without asking", async () => {
  await using at = await place();
  const model = scriptedModel([[job("echo ready; sleep 600")], says("Begun."), says("Read.")]);
  const engine = await createEngine({ ...at.options, model, allowedTools: ["Bash"] });
  const { frames } = await turn(engine, "go");
  const started = frames.find((frame) => frame.type === "user" && frame.tool_use_result !== undefined);
  const path = (started as { tool_use_result: { persistedOutputPath: string } }).tool_use_result.persistedOutputPath;
  while (!(await readFile(path, "utf8").catch(() => "")).includes("ready"))
    await new Promise((go) => setTimeout(go, 20));
  await engine.close();

  const reading = scriptedModel([[uses("Read", { file_path: path })], says("Read.")]);
  const again = await createEngine({ ...at.options, model: reading, resume: engine.sessionId });
  const { result } = await turn(again, "read it");
  expect(result.permission_denials).toEqual([]);
  expect(JSON.stringify(reading.requests.at(-1)?.messages.at(-1))).toContain("ready");
  await again.close();
});

test("a call of more than 2 s tells that it still runs", async () => {
  await using at = await place();
  const model = scriptedModel([[uses("Bash", { command: "sleep 2.3" }, "toolu_long")], says("Done.")]);
  const engine = await createEngine({ ...at.options, ...free, model });
  const { frames } = await turn(engine, "wait");
  const progress = frames.filter((frame) => frame.type === "tool_progress");
  expect(progress[0]).toMatchObject({ tool_use_id: "toolu_long", tool_name: "Bash", parent_tool_use_id: null });
  expect(progress[0]?.elapsed_time_seconds).toBeGreaterThanOrEqual(1.9);
  expect(progress).toHaveLength(1);
  await engine.close();
});

test("Monitor tells each line as it comes, and the rules of Bash govern its command", async () => {
  await using at = await place();
  const watch = uses("Monitor", {
    description: "Errors",
    command: "touch seen; echo one; sleep 0.2; echo two",
    timeout_ms: 60_000,
  });
  const model = scriptedModel([[watch], says("Watching."), says("Seen."), says("Ended.")]);
  const engine = await createEngine({ ...at.options, model, allowedTools: ["Bash(touch *)"] });
  const { result } = await turn(engine, "watch");
  expect(result.permission_denials).toEqual([]);
  const written: string[] = [];
  while (!written.some((text) => text.includes("completed (exit code 0)"))) {
    await engine.noticed(never);
    for await (const _ of engine.submitNotices());
    written.push(JSON.stringify(engine.messages));
  }
  expect(written.at(-1)).toMatch(/Monitor \\"Errors\\": 2 lines.*one\\ntwo/s);
  await engine.close();

  const denied = scriptedModel([[watch], says("No.")]);
  const strict = await createEngine({
    ...at.options,
    model: denied,
    permissionMode: "bypassPermissions",
    disallowedTools: ["Bash(echo *)"],
  });
  const { result: refused } = await turn(strict, "watch");
  expect(refused.permission_denials).toHaveLength(1);
  await strict.close();
});

test("what the transcript has of a notice says where it comes from", async () => {
  await using at = await place();
  const model = scriptedModel([
    [job("true")],
    [uses("Bash", { command: "sleep 0.5" })],
    [uses("Bash", { command: "true" })],
    says("Done."),
  ]);
  const engine = await createEngine({ ...at.options, ...free, model });
  await turn(engine, "go");
  const noticed = (await lines(engine.transcriptPath)).filter(({ origin }) => origin !== undefined);
  expect(noticed).toMatchObject([{ type: "user", isMeta: true, origin: { kind: "task-notification" } }]);
  await engine.close();
});
