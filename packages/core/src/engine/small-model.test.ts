import { expect, test } from "vitest";
import type { JournalEntry } from "../history/journal.ts";
import type { Uuid } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import { heldClock } from "../testing/held-clock.ts";
import { fails, type ScriptedAnswer, says, scriptedModel, stalls, thinks } from "../testing/scripted-model.ts";
import { smallModelAsker } from "./small-model.ts";

const overloaded: ModelFailure = { type: "overloaded", status: 529, phase: "headers", message: "Overloaded" };
const refused: ModelFailure = { type: "billing", status: 402, message: "no money" };

function asker(answers: readonly (ScriptedAnswer | readonly ScriptedAnswer[])[], maxBudgetUsd?: number, spentUsd = 0) {
  const model = scriptedModel(answers, { id: "claude-haiku-5-5" });
  const clock = heldClock();
  const recorded: JournalEntry[] = [];
  let uuids = 0;
  const ask = smallModelAsker(model, {
    clock: { ...clock, uuid: () => `u${++uuids}` as Uuid, random: () => 0 },
    ledger: { spentUsd: () => spentUsd },
    ...(maxBudgetUsd === undefined ? {} : { maxBudgetUsd }),
    answerId: (given) => given,
    record: async (entry) => void recorded.push(entry),
  });
  const { signal } = new AbortController();
  const question = { system: "Answer in a word.", prompt: "What colour is the sky?", maxTokens: 20, signal };
  return { ask, clock, model, recorded, question };
}

test("a question goes to the model alone, without tools and thinking, and its answer is in the ledger", async () => {
  const { ask, model, question, recorded, clock } = asker([says(" Blue. ", { usage: { input: 100, output: 10 } })]);

  expect(await ask(question)).toBe("Blue.");

  const content = [{ type: "text", text: "What colour is the sky?" }];
  expect(model.requests).toEqual([
    {
      tools: [],
      system: ["Answer in a word."],
      messages: [{ role: "user", uuid: "u1", content }],
      maxTokens: 20,
      thinking: { type: "disabled" },
      skipCacheWrite: true,
    },
  ]);
  expect(recorded).toMatchObject([
    { type: "ledger", status: "ok", model: "claude-haiku-5-5", source: "side", costUsd: 0.000015, attempt: 1 },
  ]);
  expect(clock.sleeping()).toBe(0);
});

test("what may pass is asked for again, twice, and each response is counted", async () => {
  const { ask, question, clock, recorded } = asker([
    fails(overloaded),
    [says("Half"), fails({ type: "cut", phase: "content", message: "cut" })],
    says("Blue."),
  ]);
  const answer = ask(question);
  await clock.advance(5_000);

  expect(await answer).toBe("Blue.");
  expect(recorded).toMatchObject([
    { status: "failed", attempt: 2 },
    { status: "ok", attempt: 3 },
  ]);
});

test.each([
  ["a fault that does not pass", [fails(refused)], /^The small model claude-haiku-5-5 gave no answer: no money$/],
  ["a third fault", [fails(overloaded), fails(overloaded), fails(overloaded)], /Overloaded/],
  ["an answer without text", [thinks("hm")], /it held no text/],
] as const)("%s is an error that says why", async (_what, answers, message) => {
  const { ask, question, clock } = asker(answers);
  const answer = ask(question).catch((error: unknown) => error);
  await clock.advance(5_000);

  expect(await answer).toMatchObject({ code: "small_model", message: expect.stringMatching(message) });
  expect(clock.sleeping()).toBe(0);
});

test("a question without an answer ends after a minute", async () => {
  const { ask, question, clock } = asker([stalls()]);
  const answer = ask(question).catch((error: unknown) => error);
  await clock.advance(60_000);

  expect(await answer).toMatchObject({ code: "small_model", message: expect.stringContaining("not within 60 s") });
});

test("an abort ends the question at once", async () => {
  const { ask, question } = asker([stalls()]);
  const controller = new AbortController();
  const answer = ask({ ...question, signal: controller.signal }).catch((error: unknown) => error);
  controller.abort();

  expect(await answer).toMatchObject({ code: "aborted" });
});

test("once the budget in dollars is spent nothing is asked", async () => {
  const { ask, question, model } = asker([], 1, 1);

  await expect(ask(question)).rejects.toMatchObject({
    code: "small_model",
    message: expect.stringContaining("budget of $1"),
  });
  expect(model.requests).toEqual([]);
});
