import { afterEach, beforeEach, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { refusedText } from "../tool-result.ts";
import { cronCreateTool } from "./cron-create.ts";
import { cronDeleteTool } from "./cron-delete.ts";
import { cronListTool } from "./cron-list.ts";
import { firedText } from "./job-text.ts";
import { scheduleWakeupTool } from "./schedule-wakeup.ts";

let context: TestContext;
beforeEach(async () => {
  context = await testContext();
});
afterEach(() => context.dispose());

const listed = async () => (await cronListTool.run({}, context)).content;

test("a job is made, listed and taken away", async () => {
  const made = await cronCreateTool.run({ cron: "*/10 * * * *", prompt: "Look at the build" }, context);
  expect(made.content).toMatch(/^Scheduled as c1: next at \d{4}-\d\d-\d\d \d\d:\d0 \(UTC[+-]\d\d:\d\d\)\./);
  expect(made.structured).toMatchObject({ id: "c1", recurring: true, durable: false });
  expect(await listed()).toMatch(/^c1 \*\/10 \* \* \* \* \(next .+\): Look at the build$/);
  expect(await cronDeleteTool.run({ id: "c1" }, context)).toEqual({
    content: "Deleted job c1",
    structured: { id: "c1" },
  });
  expect(await listed()).toBe("No jobs are scheduled");
});

test.each([
  [
    "61 * * * *",
    "look",
    /^<tool_use_error>"61 \* \* \* \*" is no cron expression of five fields: Invalid value for minute: 61\. Give /,
  ],
  ["* * * * * *", "look", /is no cron expression of five fields/],
  ["tomorrow", "look", /is no cron expression of five fields/],
  ["", "look", /is no cron expression of five fields/],
  ["0 0 30 2 *", "look", /^<tool_use_error>"0 0 30 2 \*" means a time that never comes\.<\/tool_use_error>$/],
  [
    "0 0 31 4,6,9,11 *",
    "look",
    /^<tool_use_error>"0 0 31 4,6,9,11 \*" means a time that never comes\.<\/tool_use_error>$/,
  ],
  ["0 9 * * *", "  ", /^<tool_use_error>The prompt is empty/],
])("the cron expression %j with the prompt %j is refused", async (cron, prompt, text) => {
  expect(await cronCreateTool.run({ cron, prompt }, context)).toEqual({
    content: expect.stringMatching(text),
    isError: true,
    structured: expect.stringMatching(/^Error: /),
  });
  expect(await listed()).toBe("No jobs are scheduled");
});

test.each([
  [false, "It comes only while this session is open."],
  [true, "marked as late, when it is resumed."],
])("a job with durable: %s says when it comes", async (durable, text) => {
  const { content } = await cronCreateTool.run({ cron: "0 9 * * *", prompt: "Look", durable }, context);
  expect(content).toContain(text);
});

test("an unknown job is told", async () => {
  const { content, isError } = await cronDeleteTool.run({ id: "c9" }, context);
  expect([content, isError]).toEqual([refusedText("There is no job c9. CronList gives those there are."), true]);
});

test("a wake-up is told with its time, and a second one takes its place", async () => {
  await scheduleWakeupTool.run({ delaySeconds: 60, reason: "the build" }, context);
  const { structured } = await scheduleWakeupTool.run({ delaySeconds: 120, prompt: "Look again" }, context);
  expect(structured).toMatchObject({ delaySeconds: 120 });
  expect(await listed()).toMatch(/^c2 wake-up \(next .+\): Look again$/);
});

test.each([0, -5, 86_401])("a wait of %d seconds is refused", (delaySeconds) => {
  expect(scheduleWakeupTool.parse({ delaySeconds })).toMatchObject({ ok: false });
});

test("what comes says what it is, whether it is late, and whether it was the last", () => {
  const job = { id: "c1", prompt: "Look", nextAt: Date.UTC(2026, 0, 1), createdAt: 0, durable: false } as const;
  const cron = { ...job, schedule: { type: "cron", cron: "0 9 * * *", recurring: true } } as const;
  expect(firedText(cron, false, false)).toBe("Scheduled job c1 (0 9 * * *).\n\nLook");
  expect(firedText(cron, true, true)).toMatch(/It was due at .+ and comes late\. It was the last time: .+\n\nLook$/);
  const wakeup = { ...job, schedule: { type: "wakeup", reason: "the build" } } as const;
  expect(firedText(wakeup, false, true)).toBe("The wait is over (the build).\n\nLook");
});
