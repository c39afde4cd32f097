import { createEngine, type EngineOptions } from "@pawl/core";
import { parseScenario, scenarioModel } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { lines, place, turn } from "./engine-harness.ts";

const steps = [
  { answer: [{ tool: "Glob", input: { pattern: "*.md" }, id: "toolu_glob" }] },
  { answer: [{ tool: "Read", input: { file_path: "plan.md" }, id: "toolu_read" }], delayMs: 30 },
  { answer: [{ text: "Done." }], delayMs: 30 },
];
const smallModel = [
  { contains: "Glob", answer: "Found plan.md\nand more that nobody asked for" },
  { contains: "Read", answer: "Read the plan" },
];

async function summariesOf(options: EngineOptions) {
  await using at = await place({ "plan.md": "first things first" });
  const model = scenarioModel(await parseScenario(JSON.stringify({ version: 1, steps, smallModel }), "plan.yaml"));
  const engine = await createEngine({ ...at.options, ...options, model });
  try {
    const { frames } = await turn(engine, "go");
    const summaries = frames.flatMap((frame) =>
      frame.type === "tool_use_summary" ? [[frame.preceding_tool_use_ids, frame.summary]] : [],
    );
    const ledger = (await lines(engine.transcriptPath)).filter(({ kind }) => kind === "ledger");
    return { summaries, sources: ledger.map(({ source }) => source), messages: JSON.stringify(engine.messages) };
  } finally {
    await engine.close();
  }
}

test("the small model says in a line what the calls of each answer did, when that is wanted", async () => {
  const { summaries, sources, messages } = await summariesOf({ toolUseSummaries: true });

  expect(summaries).toEqual([
    [["toolu_glob"], "Found plan.md"],
    [["toolu_read"], "Read the plan"],
  ]);
  expect(sources.filter((source) => source === "side")).toHaveLength(2);
  expect(messages).not.toContain("Read the plan");
});

test("without being asked for there are none, and the small model is not asked", async () => {
  expect(await summariesOf({})).toMatchObject({ summaries: [], sources: ["sdk", "sdk", "sdk"] });
});
