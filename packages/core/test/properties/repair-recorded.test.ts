import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ApiBlock, ApiMessage } from "../../src/messages/api-message.ts";
import { isRecord } from "../../src/messages/api-shape.ts";
import { repairMessages } from "../../src/messages/repair.ts";
import { violations } from "../../src/messages/violations.ts";

/** Sessions that other programs wrote, line by line as they stand in the file: no chain followed, nothing joined. */

const FORMS = ["history", "request"] as const;

function recordsOf(file: string): Record<string, unknown>[] {
  const path = new URL(`../cases/transcripts/${file}.jsonl`, import.meta.url);
  const lines = readFileSync(path, "utf8").split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))
    .filter(isRecord);
}

function expectRepaired(given: readonly ApiMessage[]): void {
  for (const as of FORMS) {
    const { messages } = repairMessages(given, { as });
    expect(violations(messages, { as })).toEqual([]);
    expect(repairMessages(messages, { as })).toEqual({ messages, repairs: [] });
  }
}

const PUBLIC_FORM = [
  "5c0375b4-57a5-4f26-b12d-d022ee4e51b7",
  "dag_compact_after_rewind",
  "edge_cases",
  "fe5e1c67-53e7-4862-81ae-d0e013e3270b",
  "representative_messages",
  "simonw-sample_session",
];

describe("the lines of a recorded session make a request", () => {
  test.each(PUBLIC_FORM)("%s", (file) => {
    const messages = recordsOf(file).flatMap(({ message }) => (message === undefined ? [] : [message as ApiMessage]));

    expectRepaired(messages);
  });

  test("of the main conversation of a session with parallel calls no call and no result is lost or made up", () => {
    const main = recordsOf("fe5e1c67-53e7-4862-81ae-d0e013e3270b").filter(({ isSidechain }) => isSidechain === false);
    const messages = main.map(({ message }) => message as ApiMessage);

    const repaired = repairMessages(messages);

    expect(idsOf(repaired.messages, "tool_use", "id").sort()).toEqual(idsOf(messages, "tool_use", "id").sort());
    expect(idsOf(repaired.messages, "tool_result", "tool_use_id").sort()).toEqual(
      idsOf(messages, "tool_result", "tool_use_id").sort(),
    );
    expect(new Set(repaired.repairs.map(({ rule }) => rule))).toEqual(new Set([2]));
  });
});

test("a day of work in another agent's form, aborted and cut many times, makes a request", () => {
  const messages = recordsOf("pi-large-session").flatMap(({ type, message }) =>
    type === "message" && isRecord(message) ? [fromPi(message)] : [],
  );

  expectRepaired(messages);
  const { repairs } = repairMessages(messages, { as: "request" });
  const count = (did: string) => repairs.filter((repair) => repair.did === did).length;
  expect(count("dropped: nothing was left in it")).toBe(14);
  expect(count("gave it a result that says it was interrupted")).toBe(18);
  expect(count("dropped: a tool result without its tool use, or a second one")).toBe(0);
});

function fromPi(message: Record<string, unknown>): ApiMessage {
  const content = Array.isArray(message["content"]) ? message["content"].filter(isRecord).map(blockFromPi) : [];
  if (message["role"] === "assistant") return { role: "assistant", content };
  if (message["role"] !== "toolResult") return { role: "user", content };
  const { toolCallId, isError } = message;
  return { role: "user", content: [{ type: "tool_result", tool_use_id: toolCallId, content, is_error: isError }] };
}

function blockFromPi(block: Record<string, unknown>): ApiBlock {
  const { type, id, name, thinking } = block;
  if (type === "toolCall") return { type: "tool_use", id, name, input: block["arguments"] };
  if (type === "thinking") return { type, thinking, signature: block["thinkingSignature"] };
  return { ...block, type: String(type) };
}

function idsOf(messages: readonly ApiMessage[], type: string, field: string): string[] {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.filter((block) => block.type === type).map((block) => String(block[field]));
}
