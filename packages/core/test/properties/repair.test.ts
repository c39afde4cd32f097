import { describe, expect, test } from "vitest";
import type { ApiMessage } from "../../src/messages/api-message.ts";
import { repairMessages } from "../../src/messages/repair.ts";
import type { RuleOptions } from "../../src/messages/rule-options.ts";
import { violations } from "../../src/messages/violations.ts";
import { damagedHistory, healthyHistory, randomFrom } from "./damaged-histories.ts";

const IS_LONG = process.env["PAWL_LONG"] === "1";
const RUNS = IS_LONG ? 100_000 : 5_000;
const FIRST_SEED = 1_000_003;
const TIMEOUT_MS = IS_LONG ? 1_800_000 : 120_000;
const FORMS: readonly RuleOptions[] = [{ as: "history" }, { as: "request", model: "claude-haiku-4-5" }];

/** Runs the check for each seed; a failure names its seed. */
function forEachSeed(check: (seed: number) => void): void {
  for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed += 1) {
    try {
      check(seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${damagedHistory(seed).damages.join(", ")}`, { cause: error });
    }
  }
}

describe("whatever has happened to a history", () => {
  test(
    "it comes out with no violations, a second repair changes nothing, and what was given is not touched",
    () => {
      forEachSeed((seed) => {
        const given = deepFrozen(damagedHistory(seed).messages) as ApiMessage[];
        for (const options of FORMS) {
          const { messages, repairs } = repairMessages(given, options);

          if (violations(messages, options).length > 0) expect(violations(messages, options)).toEqual([]);
          if (Array.isArray(given) && repairs.length === 0) expect(violations(given, options)).toEqual([]);
          const again = repairMessages(messages, options);
          expect(again.repairs.length).toBe(0);
          expect(isSameList(again.messages, messages)).toBe(true);
        }
      });
    },
    TIMEOUT_MS,
  );

  test(
    "a healthy one comes through as it is: the same messages, no repairs",
    () => {
      forEachSeed((seed) => {
        const given = healthyHistory(randomFrom(seed)) as ApiMessage[];

        const { messages, repairs } = repairMessages(given);

        if (repairs.length > 0) expect(repairs).toEqual([]);
        expect(isSameList(messages, given)).toBe(true);
      });
    },
    TIMEOUT_MS,
  );
});

const isSameList = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => item === other[index]);

function deepFrozen(value: unknown, seen = new Set<unknown>()): unknown {
  if (typeof value !== "object" || value === null || seen.has(value)) return value;
  seen.add(value);
  for (const inner of Object.values(value)) deepFrozen(inner, seen);
  return Object.freeze(value);
}
