import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, tool, violations } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { lines, type Place, place, turn } from "./engine-harness.ts";

/** A session whose only call waits until its signal aborts. */
async function waiting(at: Place) {
  const seen = { hasStarted: false, hasAborted: false };
  const waits = tool("Wait", "Waits.", { type: "object", properties: {} }, async (_input, { signal }) => {
    seen.hasStarted = true;
    while (!signal.aborted) await sleep(10);
    seen.hasAborted = true;
    throw new Error("aborted");
  });
  const model = scriptedModel([[says("I wait."), uses("Wait", {})], says("Never said.")]);
  const options = { ...at.options, permissionMode: "bypassPermissions", customTools: [waits] } as const;
  const engine = await createEngine({ ...options, model });
  const started = async () => {
    while (!seen.hasStarted) await sleep(10);
  };
  return { engine, seen, started };
}

/** What is on disk of a turn that was left: the whole of it, with a result for its call. */
async function kept(at: Place, path: string | null): Promise<void> {
  const texts = (await lines(path)).map((line) => JSON.stringify(line["message"] ?? ""));
  for (const text of ['"go"', "I wait.", '"tool_use"', '"tool_result"']) {
    expect(texts.some((each) => each.includes(text))).toBe(true);
  }
  const model = scriptedModel([says("On we go.")]);
  const resumed = await createEngine({ ...at.options, model, continueSession: true });
  const { result } = await turn(resumed, "and now?");
  expect([result.result, violations(resumed.messages, { as: "history" })]).toEqual(["On we go.", []]);
  await resumed.close();
}

test("B21: an interrupt while a tool runs reaches it, ends the turn with its one result, and what there was is on disk", async () => {
  await using at = await place();
  const { engine, seen, started } = await waiting(at);

  const turned = turn(engine, "go");
  await started();
  await engine.interrupt();
  const { result } = await turned; // fails when there is no result, or more than one

  expect(result).toMatchObject({ subtype: "error_during_execution", terminal_reason: "aborted_tools", is_error: true });
  expect(seen.hasAborted).toBe(true);
  await engine.close();
  await kept(at, engine.transcriptPath);
});

test("B21: closing the session while a tool runs does so too", async () => {
  await using at = await place();
  const { engine, seen, started } = await waiting(at);

  const turned = turn(engine, "go");
  await started();
  await engine.close();

  expect((await turned).result).toMatchObject({ terminal_reason: "aborted_tools", is_error: true });
  expect(seen.hasAborted).toBe(true);
  await kept(at, engine.transcriptPath);
});

test("B21: a consumer that leaves while a tool runs ends it, and what there was is on disk", async () => {
  await using at = await place();
  const { engine, seen, started } = await waiting(at);
  const frames = engine.submitMessage("go");
  const read = (async () => {
    for await (const _ of frames);
  })();
  await started();

  // A generator that is running is left once it has given its next frame, which an interrupt makes it do.
  const left = frames.return(undefined);
  await engine.interrupt();
  await Promise.all([left, read]);

  expect(seen.hasAborted).toBe(true);
  await engine.close();
  await kept(at, engine.transcriptPath);
});
