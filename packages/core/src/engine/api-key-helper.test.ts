import { expect, test } from "vitest";
import { heldClock } from "../testing/held-clock.ts";
import { apiKeyHelper } from "./api-key-helper.ts";

const MINUTE_MS = 60_000;

/** A shell whose command prints `key-1`, `key-2`, … and fails for the numbers given. */
function helper(failing: readonly number[] = [], ttlMs?: number) {
  const clock = heldClock();
  let asked = 0;
  const shell = {
    async run() {
      asked += 1;
      const isBroken = failing.includes(asked);
      const told = isBroken
        ? { exitCode: 1, stdout: "", stderr: "no vault" }
        : { exitCode: 0, stdout: `key-${asked}\n`, stderr: "" };
      return { ...told, killedBy: null, timedOut: false, truncatedBytes: 0 } as never; // what the helper looks at of a result
    },
  };
  const made = apiKeyHelper("print-key", shell, "/", ttlMs, clock.now);
  return { ...made, clock, ask: () => made.key(new AbortController().signal), asked: () => asked };
}

test("a key is used for five minutes, then the command runs again", async () => {
  const { ask, clock } = helper();

  expect([await ask(), await ask()]).toEqual(["key-1", "key-1"]);
  await clock.advance(5 * MINUTE_MS - 1);
  expect(await ask()).toBe("key-1");
  await clock.advance(1);
  expect(await ask()).toBe("key-2");
});

test("how long is a setting; a key that was refused is asked for at once", async () => {
  const { ask, clock, forget } = helper([], MINUTE_MS);

  expect(await ask()).toBe("key-1");
  await clock.advance(MINUTE_MS);
  expect(await ask()).toBe("key-2");
  forget();
  expect(await ask()).toBe("key-3");
});

test("while the command fails the key before is used, and only without one its error is shown", async () => {
  const { ask, clock, forget } = helper([2, 3]);

  expect(await ask()).toBe("key-1");
  await clock.advance(5 * MINUTE_MS);
  expect(await ask()).toBe("key-1");
  forget();
  await expect(ask()).rejects.toMatchObject({ code: "api_key_helper", message: expect.stringContaining("no vault") });
});
