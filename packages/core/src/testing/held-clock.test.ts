import { expect, test } from "vitest";
import { heldClock } from "./held-clock.ts";

test("time stands still until it is told to move", async () => {
  const clock = heldClock({ startMs: 1_000 });
  const woken: string[] = [];
  void clock.sleep(50).then(() => woken.push("a"));
  void clock.sleep(20).then(() => woken.push("b"));

  await clock.advance(10);
  expect([clock.now(), woken, clock.sleeping()]).toEqual([1_010, [], 2]);
  await clock.advance(40);
  expect([clock.now(), woken, clock.sleeping()]).toEqual([1_050, ["b", "a"], 0]);
  expect(clock.sleeps).toEqual([50, 20]);
});

test("who wakes and sleeps again within one advance wakes at the right times", async () => {
  const clock = heldClock({ startMs: 0 });
  const times: number[] = [];
  const beat = async () => {
    for (let count = 0; count < 3; count++) {
      await clock.sleep(100);
      times.push(clock.now());
    }
  };
  const beating = beat();

  await clock.advance(1_000);
  await beating;
  expect([times, clock.now()]).toEqual([[100, 200, 300], 1_000]);
});

test("an abort wakes the sleeper and leaves nothing behind", async () => {
  const clock = heldClock();
  const controller = new AbortController();
  const sleeping = clock.sleep(1_000, controller.signal);
  controller.abort();
  await sleeping;
  await clock.sleep(1_000, controller.signal);

  expect(clock.sleeping()).toBe(0);
});

test("a clock that advances itself lets nobody wait", async () => {
  const clock = heldClock({ startMs: 0, isSelfAdvancing: true });
  await clock.sleep(500);
  await clock.sleep(1_000);

  expect([clock.now(), clock.sleeps]).toEqual([1_500, [500, 1_000]]);
});
