import { expect, test } from "vitest";
import { defaultModelId, modelInfo, resolveAlias, smallModelId } from "./catalog.ts";

test("an alias stands for the current model of its family", () => {
  expect(["fable", "opus", "sonnet", "haiku", " Sonnet ", "opus[1m]"].map(resolveAlias)).toEqual([
    "claude-fable-5-1",
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-haiku-5-5",
    "claude-sonnet-5-5",
    "claude-opus-5-5[1m]",
  ]);
  expect([defaultModelId, smallModelId]).toEqual(["claude-sonnet-5-5", "claude-haiku-5-5"]);
});

test("what is no bare word is an id and used as given", () => {
  const ids = ["claude-sonnet-4-5[1m]", "my-model", "vendor/model", "local:model", "gpt5"];

  expect(ids.map(resolveAlias)).toEqual(ids);
});

test.each(["sonet", "", "sonet[1m]"])("the unknown alias %j is refused with the known ones", (name) => {
  expect(() => resolveAlias(name)).toThrow(
    `unknown model "${name}"; known aliases: fable, opus, sonnet, haiku. Or give a whole model id, such as claude-sonnet-5-5`,
  );
});

test("a known model comes with its facts, a release date left aside", () => {
  expect(modelInfo("claude-haiku-4-5-20251001")).toEqual({
    id: "claude-haiku-4-5-20251001",
    isKnown: true,
    hasLongContext: false,
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    inputUsdPerMillion: 1,
    outputUsdPerMillion: 5,
    thinking: "budget",
    defaultEffort: null,
    isThinkingAlwaysOn: false,
    refusesThinkingBudget: false,
    takesToolReferences: false,
    minCacheableTokens: 4_096,
    acceptsSystemInMessages: false,
  });
  expect(modelInfo("claude-opus-5-5")).toMatchObject({
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    thinking: "adaptive",
    defaultEffort: "medium",
    isThinkingAlwaysOn: true,
    refusesThinkingBudget: true,
    acceptsSystemInMessages: true,
  });
});

test("an unknown id is usable, and said to be unknown", () => {
  expect(modelInfo("my-model")).toMatchObject({
    id: "my-model",
    isKnown: false,
    contextTokens: 200_000,
    maxOutputTokens: 32_000,
    inputUsdPerMillion: null,
    outputUsdPerMillion: null,
  });
});

test("a member of a family without a list is known, its price is not", () => {
  expect(modelInfo("claude-mythos-5-1")).toMatchObject({ isKnown: true, inputUsdPerMillion: null });
});

test("the [1m] ending asks for the larger window and is no part of the provider's id", () => {
  expect(modelInfo("claude-opus-4-6[1m]")).toMatchObject({
    id: "claude-opus-4-6",
    isKnown: true,
    hasLongContext: true,
    contextTokens: 1_000_000,
  });
});

test("the user's settings win, field by field", () => {
  const info = modelInfo("claude-opus-4-6[1m]", { contextTokens: 500_000, inputUsdPerMillion: 1 });

  expect(info).toMatchObject({ contextTokens: 500_000, inputUsdPerMillion: 1, outputUsdPerMillion: 25 });
});
