import { expect, test } from "vitest";
import { noUsage } from "../messages/message.ts";
import { costUsd } from "./pricing.ts";

const M = 1_000_000;

test("input, output and cached tokens each have their price", () => {
  const price = (usage: Partial<typeof noUsage>) => costUsd("claude-opus-5", { ...noUsage, ...usage });

  expect(price({ input: M })).toBe(5);
  expect(price({ output: M, thinking: M / 2 })).toBe(25);
  expect(price({ cacheWrite5m: M })).toBe(6.25);
  expect(price({ cacheWrite1h: M })).toBe(10);
  expect(price({ cacheRead: M })).toBe(0.5);
  expect(price({ input: M, output: M, cacheWrite5m: M, cacheWrite1h: M, cacheRead: M })).toBe(46.75);
  expect(price({})).toBe(0);
});

test("an unknown price gives no cost, until the user's settings say it", () => {
  const usage = { ...noUsage, input: M, output: M };

  expect(costUsd("my-model", noUsage)).toBeNull();
  expect(costUsd("claude-fable-5-2", usage)).toBeNull();
  expect(costUsd("my-model", usage, { inputUsdPerMillion: 1, outputUsdPerMillion: 2 })).toBe(3);
  expect(costUsd("my-model", usage, { inputUsdPerMillion: 1 })).toBeNull();
});
