import { expect, test } from "vitest";
import { within } from "./within.ts";

const never = new Promise<void>(() => {});

test("a promise is waited for until it has settled, and no longer than the time", async () => {
  let isOver = false;
  await within(
    Promise.resolve().then(() => {
      isOver = true;
    }),
    60_000,
  );
  expect(isOver).toBe(true);
  await expect(within(never, 1)).resolves.toBeUndefined();
});

test("what is rejected ends the wait as well", async () => {
  await expect(within(Promise.reject(new Error("gone wrong")), 60_000)).resolves.toBeUndefined();
});
