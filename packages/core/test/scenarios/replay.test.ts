import type { ApiBlock } from "@pawl/core";
import { createEngine, violations } from "@pawl/core";
import { expect, test } from "vitest";
import { place, turn } from "./engine-harness.ts";
import {
  loadTrajectory,
  type TrajectoryName,
  trajectoryFiles,
  trajectoryModel,
  trajectoryTools,
} from "./trajectories.ts";

const names = Object.keys(trajectoryFiles) as TrajectoryName[];

test.each(names)("%s replays to its end through the engine, with one result for each call", async (name) => {
  await using at = await place();
  const trajectory = await loadTrajectory(name);
  const model = trajectoryModel(trajectory);
  const customTools = trajectoryTools(trajectory);
  const allowedTools = customTools.map((tool) => tool.name);
  const engine = await createEngine({ ...at.options, model, tools: [], customTools, allowedTools });

  const { result } = await turn(engine, trajectory.prompt);

  const blocks = engine.messages.flatMap((message) => message.content as ApiBlock[]);
  const uses = blocks.filter((block) => block.type === "tool_use").map((block) => block["id"]);
  const results = blocks.filter((block) => block.type === "tool_result").map((block) => block["tool_use_id"]);
  expect(result).toMatchObject({
    subtype: "success",
    is_error: false,
    terminal_reason: "completed",
    permission_denials: [],
  });
  expect(model.report()).toMatchObject({ unusedSteps: [], failures: [] });
  expect(uses.length).toBeGreaterThan(3);
  expect(results).toEqual(uses);
  expect(violations(engine.messages)).toEqual([]);
  await engine.close();
});
