import { type CanUseTool, createEngine, violations } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, place, turn } from "./engine-harness.ts";

const option = (label: string) => ({ label, description: `${label}, then` });
const which = {
  ...{ question: "Which database?", header: "Database", multiSelect: false },
  options: [option("SQLite"), option("Postgres")],
};
const parts = {
  ...{ question: "Which parts?", header: "Parts", multiSelect: true },
  options: [option("Reader"), option("Writer"), option("Index")],
};

async function answered(questions: readonly unknown[], canUseTool?: CanUseTool, more = {}) {
  await using at = await place();
  const model = scriptedModel([[uses("AskUserQuestion", { questions, ...more })], says("Fine.")]);
  const engine = await createEngine({ ...at.options, model, ...(canUseTool && { canUseTool }) });
  const { frames } = await turn(engine, "go");
  expect(violations(engine.messages, { as: "history" })).toEqual([]);
  await engine.close();
  const content = JSON.stringify(engine.messages.at(-2)?.content);
  const structured = frames.flatMap((frame) => (frame.type === "user" ? [frame.tool_use_result] : [])).at(-1);
  return { content, structured };
}

const answering =
  (answer: Record<string, unknown>): CanUseTool =>
  async (_tool, input) => ({ behavior: "allow", updatedInput: { ...input, ...answer } });

test("the answers reach the model by their questions", async () => {
  const answers = { "Which database?": "SQLite", "Which parts?": ["Reader", "Index"] };
  const { content, structured } = await answered([which, parts], answering({ answers }));
  expect(JSON.parse(content)[0].content).toBe(
    'User has answered your questions: "Which database?"="SQLite", "Which parts?"="Reader, Index". ' +
      "You can now continue with the user's answers in mind.",
  );
  expect(structured).toEqual({
    questions: [which, parts],
    answers: { "Which database?": "SQLite", "Which parts?": "Reader, Index" },
  });
});

test("words of the user's own come beside the answers or instead of them", async () => {
  const { content } = await answered([which], answering({ answers: {}, response: "Ask the operators first." }));
  expect(content).toContain("The user also said: Ask the operators first.");
});

test("what a host gives beside the answers is passed over", async () => {
  const answer = { answers: { "Which database?": "SQLite" }, annotations: { "Which database?": { notes: "fast" } } };
  expect((await answered([which], answering(answer))).content).toContain('\\"Which database?\\"=\\"SQLite\\"');
});

test("an allowance without answers is no answer", async () => {
  const { content } = await answered([which], async () => ({ behavior: "allow" }));
  expect(content).toContain("no answer came back");
});

test.each<[what: string, questions: readonly unknown[], more: object, text: string]>([
  ["no question", [], {}, "must have at least 1 item"],
  ["five questions", Array(5).fill(which), {}, "must have at most 4 items"],
  ["one choice", [{ ...which, options: [option("a")] }], {}, "must have at least 2 items"],
  ["a question twice", [which, which], {}, "is asked twice"],
  ["a choice twice", [{ ...which, options: [option("a"), option("a")] }], {}, "is there twice"],
  ["a blank question", [{ ...which, question: " " }], {}, "`questions[0].question` is blank"],
  [
    "a blank choice",
    [{ ...which, options: [option("a"), option("")] }],
    {},
    "`questions[0].options[1].label` is blank",
  ],
  ["answers of its own", [which], { answers: { "Which database?": "SQLite" } }, "unexpected parameter `answers`"],
])("a call with %s is refused before anybody is asked", async (_what, questions, more, text) => {
  let isAsked = false;
  const { content } = await answered(
    questions,
    async () => {
      isAsked = true;
      return { behavior: "allow" };
    },
    more,
  );
  expect(content).toContain(text);
  expect(isAsked).toBe(false);
});

test.each(["default", "bypassPermissions", "dontAsk"] as const)(
  "with nobody to ask it is denied in mode %s",
  async (permissionMode) => {
    await using at = await place();
    const model = scriptedModel([[uses("AskUserQuestion", { questions: [which] })], says("Fine.")]);
    const { result } = await oneTurn({ ...at.options, model, permissionMode, allowedTools: ["AskUserQuestion"] });
    expect(result.permission_denials.map(({ tool_name }) => tool_name)).toEqual(["AskUserQuestion"]);
  },
);
