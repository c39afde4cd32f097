import { expect, test } from "vitest";
import { scriptedModel } from "../testing/scripted-model.ts";
import { refuseUnpriced } from "./set-model.ts";

const priced = scriptedModel([], { id: "claude-sonnet-5-5" });
const unpriced = scriptedModel([], { id: "house-model" });

test("a budget in dollars is refused when the model or one to fall back to has no known price", () => {
  const refusal = "the price of the model house-model is not known";

  expect(() => refuseUnpriced([unpriced], 1)).toThrow(refusal);
  expect(() => refuseUnpriced([priced, unpriced], 1)).toThrow(refusal);
  expect(() => refuseUnpriced([priced], 1)).not.toThrow();
  expect(() => refuseUnpriced([unpriced], undefined)).not.toThrow();
});
