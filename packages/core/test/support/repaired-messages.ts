import { expect } from "vitest";
import type { ApiBlock, ApiMessage } from "../../src/messages/api-message.ts";
import { repairMessages } from "../../src/messages/repair.ts";
import type { RuleOptions } from "../../src/messages/rule-options.ts";
import { violations } from "../../src/messages/violations.ts";

export const user = (...content: ApiBlock[]): ApiMessage => ({ role: "user", content });
export const answer = (...content: ApiBlock[]): ApiMessage => ({ role: "assistant", content });
export const hello: ApiMessage = { role: "user", content: "Hello." };
export const text = (value: string): ApiBlock => ({ type: "text", text: value });
export const use = (id: string, fields: object = {}): ApiBlock => ({
  type: "tool_use",
  id,
  name: "Bash",
  input: {},
  ...fields,
});
export const result = (id: string, content: unknown = "done"): ApiBlock => ({
  type: "tool_result",
  tool_use_id: id,
  content,
});
export const interrupted = (id: string): ApiBlock => ({
  ...result(id, "The tool call was interrupted before it gave a result."),
  is_error: true,
});
export const thought: ApiBlock = { type: "thinking", thinking: "hm", signature: "c2ln" };
export const image = (data: string, media_type = "image/png"): ApiBlock => ({
  type: "image",
  source: { type: "base64", media_type, data },
});

/** Repairs, checks that nothing is left to repair, and gives what came out. */
export function repaired(messages: unknown, options: RuleOptions = {}): ApiMessage[] {
  const given = structuredClone(messages);
  const outcome = repairMessages(messages as ApiMessage[], options);
  expect(violations(outcome.messages, options)).toEqual([]);
  expect(repairMessages(outcome.messages, options).repairs).toEqual([]);
  expect(messages).toEqual(given);
  return outcome.messages;
}

export const repairsOf = (messages: unknown, options?: RuleOptions) =>
  repairMessages(messages as ApiMessage[], options).repairs;
