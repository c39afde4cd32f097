import { expect, test } from "vitest";
import type { ToolUseId } from "../messages/message.ts";
import { createDenialRecorder, MAX_DENIALS, type PermissionDenial } from "./denials.ts";

const denial = (time: number): PermissionDenial => ({
  toolName: "Bash",
  toolUseId: `toolu_${time}` as ToolUseId,
  input: { command: "rm x" },
  reason: "no",
  time,
});

test("denials are given back in their order, and what was given back does not change", () => {
  const recorder = createDenialRecorder([denial(1)]);
  recorder.record(denial(2));
  const before = recorder.denials();
  recorder.record(denial(3));
  expect(before).toEqual([denial(1), denial(2)]);
  expect(recorder.denials()).toEqual([denial(1), denial(2), denial(3)]);
});

test("beyond the bound the earliest are dropped", () => {
  const recorder = createDenialRecorder();
  for (let time = 0; time <= MAX_DENIALS; time++) recorder.record(denial(time));
  expect(recorder.denials()).toHaveLength(MAX_DENIALS);
  expect(recorder.denials()[0]).toEqual(denial(1));
});
