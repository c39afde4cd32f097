import { expect, test } from "vitest";
import type { AssistantMessage, Message, ModelId, UserMessage, Uuid } from "../messages/message.ts";
import { groupByRound } from "./rounds.ts";

const user = (uuid: string): UserMessage => ({
  role: "user",
  uuid: uuid as Uuid,
  content: [{ type: "text", text: uuid }],
});
const answer = (uuid: string, id: string): AssistantMessage => ({
  role: "assistant",
  uuid: uuid as Uuid,
  id,
  model: "claude-sonnet-5" as ModelId,
  content: [{ type: "text", text: uuid }],
  stopReason: "end_turn",
  usage: null,
});
const uuids = (messages: Message[]) => groupByRound(messages).map((round) => round.map(({ uuid }) => uuid));

test("a round begins where the id of the answer changes, and holds what follows it", () => {
  expect(
    uuids([user("u"), answer("a", "1"), user("r"), answer("b", "2"), answer("b2", "2"), user("s"), answer("c", "3")]),
  ).toEqual([["u"], ["a", "r"], ["b", "b2", "s"], ["c"]]);
});

test("nothing has no rounds", () => {
  expect(uuids([])).toEqual([]);
});
