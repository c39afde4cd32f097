import { expect, test } from "vitest";
import { isToolUse, type Message } from "../../src/messages/message.ts";
import { ask, reply, results, user } from "../../src/testing/conversation.ts";
import { loadTrajectory, type TrajectoryName, trajectoryFiles, trajectoryModel } from "./trajectories.ts";

const names = Object.keys(trajectoryFiles) as TrajectoryName[];

test("a run of shell blocks becomes Bash calls with their text beside them", async () => {
  const { prompt, steps, stubTools } = await loadTrajectory("mini-swe-agent");

  expect(prompt).toMatch(/^Please solve this issue: GitHub Issue: SyntaxError/);
  expect(steps).toHaveLength(11);
  expect(steps[1]?.answer).toEqual([
    { text: "I need to find the correct path to the file. Let me check the current directory structure:" },
    { tool: "Bash", input: { command: "ls -la" }, id: "call_4" },
  ]);
  expect(steps[10]?.answer).toEqual([{ text: "Done." }]);
  expect(stubTools.map((tool) => tool.name)).toEqual(["Bash"]);
  expect(stubTools[0]?.results.get("call_14")).toBe("<returncode>0</returncode>\n<output>\n8.2\n</output>");
});

test("a run of function calls becomes calls of stub tools with the schemas their inputs fit", async () => {
  const { steps, stubTools } = await loadTrajectory("sweagent-marshmallow");

  expect(steps).toHaveLength(12);
  expect(stubTools.map((tool) => [tool.name, tool.results.size])).toEqual([
    ["bash", 4],
    ["create", 1],
    ["edit", 3],
    ["find_file", 1],
    ["open", 1],
    ["submit", 1],
  ]);
  expect(stubTools.find((tool) => tool.name === "edit")?.inputSchema).toEqual({
    type: "object",
    properties: {
      replacement_text: { type: "string" },
      start_line: { type: "number" },
      end_line: { type: "number" },
    },
    required: ["replacement_text", "start_line", "end_line"],
    additionalProperties: false,
  });
});

test.each(names)("every call of %s has an id of its own and one recorded result", async (name) => {
  const { steps, stubTools } = await loadTrajectory(name);

  const ids = steps.flatMap((step) => step.answer.flatMap((block) => ("tool" in block ? (block.id ?? "none") : [])));
  const recorded = stubTools.flatMap((tool) => [...tool.results.keys()]);

  expect(new Set(ids).size).toBe(ids.length);
  expect(recorded.sort()).toEqual([...ids].sort());
});

test("an id that the recording repeats is replaced, and keeps its own result", async () => {
  const { steps, stubTools } = await loadTrajectory("sweagent-marshmallow");
  const bash = stubTools.find((tool) => tool.name === "bash");
  const python = steps.flatMap((step) =>
    step.answer.flatMap((block) =>
      "tool" in block && block.input["command"] === "python reproduce.py" ? [block] : [],
    ),
  );

  expect(python.map((block) => block.id)).toEqual(["call_5iDdbOYybq7L19vqXmR0DPaU", "call_5iDdbOYybq7L19vqXmR0DPaU-3"]);
  expect(python.map((block) => bash?.results.get(block.id ?? "")?.split("\n")[0])).toEqual(["344", "345"]);
});

test.each(names)("played from the prompt on, %s reaches its end with one result for each call", async (name) => {
  const trajectory = await loadTrajectory(name);
  const model = trajectoryModel(trajectory);
  const recorded = new Map(trajectory.stubTools.flatMap((tool) => [...tool.results]));
  const messages: Message[] = [user(trajectory.prompt)];

  for (const _step of trajectory.steps) {
    const answer = reply(await ask(model, messages));
    messages.push(answer);
    const calls = answer.content.filter(isToolUse);
    if (calls.length > 0) messages.push(results(calls.map(({ id }) => [id, recorded.get(id) ?? "not recorded"])));
  }

  expect(messages.at(-1)?.content).toEqual([{ type: "text", text: "Done." }]);
  expect(JSON.stringify(messages)).not.toContain("not recorded");
  expect(model.report()).toEqual({ requests: trajectory.steps.length, unusedSteps: [], failures: [] });
});
