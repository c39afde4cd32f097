import { describe, expect, test } from "vitest";
import { answer, call, chainOf, prompt, result, toolUseId } from "../../test/support/journal-entries.ts";
import type { JournalEntry } from "../history/journal.ts";
import { project } from "../history/projection.ts";
import { type FileHashes, interruptedResult, type OpenToolUse, openToolUses, pathsToCheck } from "./interrupted.ts";

const intent = (id: string, effect: "edit" | "other", before?: FileHashes): JournalEntry => ({
  type: "intent",
  toolUseId: toolUseId(id),
  tool: effect === "edit" ? "Edit" : "Bash",
  inputHash: "h",
  effect,
  ...(before === undefined ? {} : { before }),
});
const outcome = (id: string, status: "done" | "failed" | "denied" | "cancelled" | "unknown"): JournalEntry => ({
  type: "outcome",
  toolUseId: toolUseId(id),
  status,
});

/** An answer with these calls, of which the first has its result. */
const conversation = chainOf([
  prompt("go"),
  answer(call("toolu_1", "Read", {})),
  answer(call("toolu_2", "Edit", {})),
  result("toolu_1", "text"),
]);
const openOf = (...more: JournalEntry[]): OpenToolUse | undefined => {
  const entries = [...conversation, ...more];
  const open = openToolUses(project(entries), entries);
  expect(open.map(({ toolUse }) => toolUse.id)).toEqual(["toolu_2"]);
  return open[0];
};
const told = (current: FileHashes, ...more: JournalEntry[]) => {
  const open = openOf(...more);
  return open && interruptedResult(open, current);
};

describe("a call without a result", () => {
  test("that had no effect yet may be made again", () => {
    expect(told({})).toEqual({ status: "cancelled", text: expect.stringMatching(/It changed nothing; make it again/) });
  });

  test("that had begun to have effects has an unknown outcome", () => {
    expect(told({}, intent("toolu_2", "other"))).toEqual({
      status: "unknown",
      text: expect.stringMatching(/^The call was interrupted, outcome unknown: .*before doing it again\.$/),
    });
  });

  test("whose outcome was noted is told by that", () => {
    expect(told({}, intent("toolu_2", "other"), outcome("toolu_2", "done"))).toEqual({
      status: "done",
      text: "The session was interrupted: the call was carried out, but its result was lost.",
    });
    expect(told({}, outcome("toolu_2", "denied"))).toMatchObject({ status: "denied" });
    expect(told({}, intent("toolu_2", "other"), outcome("toolu_2", "unknown"))).toMatchObject({ status: "unknown" });
  });

  test("that a person was asked about keeps the open question", () => {
    const question: JournalEntry = { type: "question", toolUseId: toolUseId("toolu_2"), input: { a: 1 } };
    const asked = openOf(question);
    expect([asked?.question, asked?.answer]).toEqual([question, undefined]);
    const given: JournalEntry = { type: "answer", toolUseId: toolUseId("toolu_2"), behavior: "allow", by: "user" };
    expect(openOf(question, given)?.answer).toEqual(given);
  });
});

describe("an unfinished edit is checked against the files", () => {
  const edit = intent("toolu_2", "edit", { "/w/a": "old", "/w/new": null });

  test("files as before: not applied", () => {
    expect(told({ "/w/a": "old", "/w/new": null }, edit)).toMatchObject({
      status: "failed",
      text: expect.stringMatching(/not applied: \/w\/a, \/w\/new are as before/),
    });
  });

  test("all files changed: applied", () => {
    expect(told({ "/w/a": "now", "/w/new": "made" }, edit)).toMatchObject({
      status: "done",
      text: expect.stringMatching(/after it was applied/),
    });
  });

  test("some changed: told which", () => {
    expect(told({ "/w/a": "now", "/w/new": null }, edit)).toMatchObject({
      status: "unknown",
      text: expect.stringMatching(/in part: \/w\/a is changed, \/w\/new is as before/),
    });
  });

  test("a file that could not be looked at leaves the outcome unknown", () => {
    expect(told({ "/w/a": "now" }, edit)).toMatchObject({ status: "unknown" });
  });

  test("only edits want their files looked at", () => {
    const [open, other] = [openOf(edit), openOf(intent("toolu_2", "other"))];
    expect([open, other].map((one) => one && pathsToCheck(one))).toEqual([["/w/a", "/w/new"], []]);
  });
});
