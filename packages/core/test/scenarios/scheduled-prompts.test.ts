import { readFile, writeFile } from "node:fs/promises";
import { createEngine, type SdkMessage } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { lines, place, turn } from "./engine-harness.ts";

const structuredOf = (frames: readonly SdkMessage[]) =>
  frames.flatMap((frame) => (frame.type === "user" ? [frame.tool_use_result] : []));
const never = new AbortController().signal;

test("a wake-up starts a turn of its own on a host that listens", async () => {
  await using at = await place();
  const model = scriptedModel([
    [uses("ScheduleWakeup", { delaySeconds: 1, prompt: "Look at the build" })],
    says("I wait."),
    says("It is done."),
  ]);
  const engine = await createEngine({ ...at.options, model });
  await turn(engine, "watch the build");

  await engine.noticed(never);
  const frames = [];
  for await (const frame of engine.submitNotices()) frames.push(frame);

  expect(frames.at(-1)).toMatchObject({ type: "result", result: "It is done." });
  expect(JSON.stringify(engine.messages.at(-2))).toContain("The wait is over.\\n\\nLook at the build");
  const written = (await lines(engine.transcriptPath)).filter(({ type }) => type === "user");
  expect(written.at(-1)).toMatchObject({ isMeta: true, origin: { kind: "auto-continuation" } });
  await engine.close();
});

test("a job that is deleted is gone", async () => {
  await using at = await place();
  const create = uses("CronCreate", { cron: "0 0 1 1 *", prompt: "yearly", durable: true });
  const first = await createEngine({ ...at.options, model: scriptedModel([create, says("Scheduled.")]) });
  const { frames } = await turn(first, "remind me");
  await first.close();
  const { id } = structuredOf(frames)[0] as { id: string }; // as CronCreate gives it
  const calls = [uses("CronDelete", { id }), uses("CronDelete", { id }), uses("CronList", {}), says("Gone.")];
  const second = await createEngine({ ...at.options, model: scriptedModel(calls), resume: first.sessionId });
  await turn(second, "forget it");
  const told = JSON.stringify(second.messages);
  expect(told).toContain(`Deleted job ${id}`);
  expect(told).toContain(`There is no job ${id}.`);
  expect(told).toContain("No jobs are scheduled");
  await second.close();
});

describe("a durable prompt that came and started no turn before the end", () => {
  async function cameAtTheEnd(isKilled: boolean) {
    const at = await place();
    const create = uses("CronCreate", { cron: "* * * * *", prompt: "Look once", recurring: false, durable: true });
    const first = await createEngine({ ...at.options, model: scriptedModel([create, says("Scheduled.")]) });
    await turn(first, "remind me");
    await first.close();
    await makeDue(first.transcriptPath);
    const { sessionId: resume } = first;
    const second = await createEngine({ ...at.options, model: scriptedModel([]), resume });
    await second.noticed(never);
    const path = second.transcriptPath ?? "";
    await expect.poll(() => readFile(path, "utf8")).toContain('"noticeId"');
    const left = await readFile(path, "utf8");
    await second.close();
    if (isKilled) await writeFile(path, left);
    return { at, resume };
  }
  const timesIn = (messages: unknown) => JSON.stringify(messages).match(/Scheduled job/g)?.length ?? 0;

  test("stands in the history for the next turn, and comes no more", async () => {
    const { at, resume } = await cameAtTheEnd(false);
    await using _ = at;
    const model = scriptedModel([uses("CronList", {}), says("Seen.")]);
    const engine = await createEngine({ ...at.options, model, resume });
    await turn(engine, "go on");
    expect(timesIn(model.requests[0]?.messages)).toBe(1);
    expect(timesIn(model.requests[1]?.messages)).toBe(1);
    expect(JSON.stringify(model.requests[1]?.messages.at(-1))).toContain("No jobs are scheduled");
    await engine.close();
  });

  test("comes again when the session was killed, once", async () => {
    const { at, resume } = await cameAtTheEnd(true);
    await using _ = at;
    const second = scriptedModel([says("Seen.")]);
    const engine = await createEngine({ ...at.options, model: second, resume });
    await engine.noticed(never);
    for await (const frame of engine.submitNotices()) if (frame.type === "result") expect(frame.result).toBe("Seen.");
    await engine.close();
    expect(timesIn(second.requests[0]?.messages)).toBe(1);

    const third = scriptedModel([says("a"), says("b")]);
    const last = await createEngine({ ...at.options, model: third, resume });
    await turn(last, "one");
    await turn(last, "two");
    expect(timesIn(third.requests[1]?.messages)).toBe(1);
    await last.close();
  });
});

/** As if the session had been closed for an hour. */
async function makeDue(path: string | null): Promise<void> {
  if (path === null) throw new Error("no transcript");
  const text = await readFile(path, "utf8");
  await writeFile(path, text.replaceAll(/"nextAt":\d+/g, `"nextAt":${Date.now() - 3_600_000}`));
}

test("a durable job is there after a resume, one that is not durable is not", async () => {
  await using at = await place();
  const job = (prompt: string, durable: boolean) => uses("CronCreate", { cron: "0 0 1 1 *", prompt, durable });
  const first = await createEngine({
    ...at.options,
    model: scriptedModel([[job("yearly", true), job("not kept", false)], says("Scheduled.")]),
  });
  await turn(first, "remind me");
  await first.close();

  const model = scriptedModel([[uses("CronList", {})], says("There.")]);
  const second = await createEngine({ ...at.options, model, resume: first.sessionId });
  await turn(second, "what is scheduled?");
  const listed = JSON.stringify(second.messages.at(-2));
  expect(listed).toContain("yearly");
  expect(listed).not.toContain("not kept");
  await second.close();
});
