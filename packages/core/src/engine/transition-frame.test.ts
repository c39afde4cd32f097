import { expect, test } from "vitest";
import { transitionFrame } from "./transition-frame.ts";

test("an empty answer that is asked for again is told, with how often that is done", () => {
  const failure = { type: "empty_answer", message: "nothing" } as const;

  expect(transitionFrame({ type: "empty_answer_retry", attempt: 2 }, failure, undefined)).toEqual({
    type: "system",
    subtype: "informational",
    content: "The model gave an empty answer: asking again (2 of 3)",
    level: "notice",
  });
});
