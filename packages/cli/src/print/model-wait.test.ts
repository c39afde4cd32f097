import { expect, test } from "vitest";
import { ModelWait } from "./model-wait.ts";

test("a wait says what for and how long already, once it is longer than a thought", () => {
  const wait = new ModelWait();
  wait.requested(0);
  const texts = [wait.text(2_999), wait.text(12_000)];
  wait.heard({ type: "content_block_delta" }, 20_000);
  wait.heard({ type: "ping" }, 25_000);
  texts.push(wait.text(21_000), wait.text(28_500));
  wait.answered();
  texts.push(wait.text(90_000));

  expect(texts).toEqual([
    undefined,
    "no answer from the model for 12.0 s",
    undefined,
    "nothing more from the model for 8.5 s",
    undefined,
  ]);
});

test("before another try it says how long still and why", () => {
  const wait = new ModelWait();
  wait.requested(0);
  wait.retryAt(10_000, "Overloaded (HTTP 529)");
  const texts = [wait.text(6_500), wait.text(10_000)];
  wait.requested(10_000);
  texts.push(wait.text(10_100), wait.text(15_000));
  wait.heard({ type: "content_block_delta" }, 16_000);
  texts.push(wait.text(16_500));

  expect(texts).toEqual([
    "trying again in 3.5 s: Overloaded (HTTP 529)",
    "trying again now: Overloaded (HTTP 529)",
    "asked again, waiting for the model",
    "no answer from the model for 5.0 s",
    undefined,
  ]);
});
