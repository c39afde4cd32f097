import { expect, test } from "vitest";
import { abortableSleep, childController, onAbort } from "./abort.ts";

test("a child controller follows its parent, also one that is aborted already, until it is released", () => {
  const parent = new AbortController();
  const child = childController(parent.signal);
  const released = childController(parent.signal);
  released.release();
  parent.abort("why");

  expect([child.signal.reason, released.signal.aborted]).toEqual(["why", false]);
  expect(childController(parent.signal).signal.reason).toBe("why");
});

test("a sleep ends at once when its signal aborts, or has", async () => {
  const controller = new AbortController();
  const startedAt = performance.now();
  setTimeout(() => controller.abort(), 10);
  await abortableSleep(60_000, controller.signal);
  await abortableSleep(60_000, controller.signal);

  expect(performance.now() - startedAt).toBeLessThan(1_000);
});

test("a listener runs once, at once on an aborted signal, and never after it was taken off", () => {
  const controller = new AbortController();
  const calls: string[] = [];
  onAbort(controller.signal, () => calls.push("kept"));
  onAbort(controller.signal, () => calls.push("off"))();
  controller.abort();
  onAbort(controller.signal, () => calls.push("late"));

  expect(calls).toEqual(["kept", "late"]);
});
