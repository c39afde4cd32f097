import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Step } from "./support/pawl.ts";
import { startAtTerminal } from "./support/terminal.ts";

const sessionId = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const done: Step = { answer: [{ text: "All done." }] };
const calls = (tool: string, input: object): Step => ({ answer: [{ tool, input }] });
const option = (label: string) => ({ label, description: `take ${label}` });

const at = (steps: readonly Step[], args: string[] = []) =>
  startAtTerminal(steps, ["--session-id", sessionId, ...args]);

test("the model's questions are put one after the other: a choice, several, and the person's own words", async () => {
  const questions = [
    {
      question: "Which database?",
      header: "Database",
      multiSelect: false,
      options: ["SQLite", "Postgres"].map(option),
    },
    {
      question: "Which parts?",
      header: "Parts",
      multiSelect: true,
      options: ["Reader", "Writer", "Index"].map(option),
    },
    { question: "Which name?", header: "Name", multiSelect: false, options: ["a", "b"].map(option) },
  ];
  await using run = await at([calls("AskUserQuestion", { questions }), done]);
  await run.terminal.sees("Database: Which database?");
  await run.terminal.sees("1. SQLite: take SQLite");
  await run.terminal.answers("2");
  await run.terminal.sees("→ Postgres");
  await run.terminal.sees("Parts: Which parts?");
  await run.terminal.answers("s");
  await run.terminal.sees("Their numbers");
  run.terminal.type("1, 7\r");
  await run.terminal.sees('"1, 7" does not name them: give numbers from 1 to 3.');
  await run.terminal.answers("s");
  await run.terminal.sees("Their numbers");
  run.terminal.type("1, 3\r");
  await run.terminal.sees("Name: Which name?");
  await run.terminal.answers("o");
  await run.terminal.sees("Your answer:");
  run.terminal.type("neither\r");
  await run.terminal.sees("All done.");
  expect(await run.transcript()).toContain(
    '\\"Which database?\\"=\\"Postgres\\", \\"Which parts?\\"=\\"Reader, Index\\", \\"Which name?\\"=\\"neither\\"',
  );
});

test("Esc at a question stops the turn", async () => {
  const questions = [{ question: "Which?", header: "Which", multiSelect: false, options: ["a", "b"].map(option) }];
  await using run = await at([calls("AskUserQuestion", { questions }), done]);
  await run.terminal.answers("\x1b");
  await run.terminal.sees("→ stopped");
  expect((await run.terminal.ended).exitCode).toBe(1);
  expect(run.terminal.text).not.toContain("All done.");
  expect(await run.transcript()).toContain('"toolDenialKind":"user-rejected"');
});

const planned: readonly Step[] = [
  calls("Write", { file_path: `.config/plans/${sessionId}.md`, content: "1. Rename it.\n2. Test it.\n" }),
  calls("ExitPlanMode", {}),
  calls("Write", { file_path: "made.txt", content: "made" }),
  done,
];

test("a plan is shown and approved, and edits then run without a question", async () => {
  await using run = await at(planned, ["--permission-mode", "plan"]);
  await run.terminal.sees("Is this plan right?");
  await run.terminal.sees("1. Rename it.");
  await run.terminal.sees("2. Test it.");
  await run.terminal.answers("e");
  await run.terminal.sees("All done.");
  expect((await run.terminal.ended).exitCode).toBe(0);
  expect(run.terminal.text).not.toContain("May Write do this?");
  expect(await readFile(run.workspace.path("made.txt"), "utf8")).toBe("made");
});

test("what is to change in a plan reaches the model, and plan mode stays on", async () => {
  await using run = await at(planned, ["--permission-mode", "plan"]);
  await run.terminal.sees("Is this plan right?");
  await run.terminal.answers("t");
  await run.terminal.sees("What should be different?");
  run.terminal.type("keep the old name\r");
  await run.terminal.sees("May Write do this?");
  await run.terminal.answers("n");
  await run.terminal.sees("All done.");
  expect(await run.transcript()).toContain("The user said:\\nkeep the old name");
  await expect(readFile(run.workspace.path("made.txt"), "utf8")).rejects.toThrow("ENOENT");
});
