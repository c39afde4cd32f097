import { createEngine } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place, turn } from "./engine-harness.ts";

test("sessions that name the same list see each other's tasks; one that names none has its own", async () => {
  await using at = await place();
  const shared = { ...at.options, env: { ...at.options.env, CLAUDE_CODE_TASK_LIST_ID: "team" } };
  const create = uses("TaskCreate", { subject: "Write the parser", description: "All of it" });
  await oneTurn({ ...shared, model: scriptedModel([[create], says("Made.")]) });

  const listed = async (options: typeof shared) => {
    const engine = await createEngine({ ...options, model: scriptedModel([[uses("TaskList", {})], says("There.")]) });
    await turn(engine, "list");
    await engine.close();
    return JSON.stringify(engine.messages.at(-2));
  };
  expect(await listed(shared)).toContain("#1 [pending] Write the parser");
  expect(await listed(at.options as typeof shared)).toContain("No tasks found");
});

test("the list of a session is there after a resume", async () => {
  await using at = await place();
  const create = uses("TaskCreate", { subject: "Write the parser", description: "All of it" });
  const first = await createEngine({ ...at.options, model: scriptedModel([[create], says("Made.")]) });
  await turn(first, "go");
  await first.close();
  const model = scriptedModel([[uses("TaskList", {})], says("There.")]);
  const second = await createEngine({ ...at.options, model, resume: first.sessionId });
  await turn(second, "list");
  expect(JSON.stringify(second.messages.at(-2))).toContain("#1 [pending] Write the parser");
  await second.close();
});

test("a task is begun, read and done, and what waits for it may begin", async () => {
  await using at = await place();
  const create = (subject: string) => uses("TaskCreate", { subject, description: `${subject}, all of it` });
  const model = scriptedModel([
    [create("Write the parser"), create("Test it")],
    [
      uses("TaskUpdate", { taskId: "2", addBlockedBy: ["1"] }),
      uses("TaskUpdate", { taskId: "1", status: "in_progress" }),
    ],
    [uses("TaskGet", { taskId: "2" })],
    [uses("TaskUpdate", { taskId: "1", status: "completed" }), uses("TaskList", {})],
    says("Done."),
  ]);
  await oneTurn({ ...at.options, model });
  const told = model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
  expect(told[3]).toContain("#2 [pending] Test it (waits for #1)\\nDescription: Test it, all of it");
  expect(told[4]).toContain("#1 [completed] Write the parser\\n#2 [pending] Test it");
});

test("a list id that is no plain name is refused", async () => {
  await using at = await place();
  const options = { ...at.options, env: { ...at.options.env, PAWL_TASK_LIST_ID: "../x" }, model: scriptedModel([]) };
  await expect(createEngine(options)).rejects.toThrow('PAWL_TASK_LIST_ID is "../x"');
});

test("a refused start leaves the session free for the next one", async () => {
  await using at = await place();
  const first = await createEngine({ ...at.options, model: scriptedModel([says("Hi.")]) });
  await turn(first, "go");
  await first.close();
  const resumed = { ...at.options, resume: first.sessionId };
  const refused = { ...resumed, env: { ...at.options.env, PAWL_TASK_LIST_ID: "../x" }, model: scriptedModel([]) };
  await expect(createEngine(refused)).rejects.toThrow("PAWL_TASK_LIST_ID");
  const { result } = await oneTurn({ ...resumed, model: scriptedModel([says("Again.")]) });
  expect(result.result).toBe("Again.");
});
