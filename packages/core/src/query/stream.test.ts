import { expect, test } from "vitest";
import { runTurn, type TurnOutcome } from "../../test/support/turn-harness.ts";
import { type ContentBlock, type ModelId, noUsage, type StopReason } from "../messages/message.ts";
import type { Model, ModelEvent } from "../models/model.ts";

const modelId = "m" as ModelId;
const text = (value: string): ContentBlock => ({ type: "text", text: value });
const thought: ContentBlock = { type: "thinking", thinking: "hm", signature: "s" };
const use = (id: string) => ({ type: "tool_use", id, name: "Safe", input: {} }) as unknown as ContentBlock;
const search: ContentBlock = {
  type: "other",
  raw: { type: "server_tool_use", id: "s1", name: "web_search", input: {} },
};

const start = (id: string, input = 1): ModelEvent => ({
  type: "message_start",
  id,
  model: modelId,
  usage: { ...noUsage, input },
});
const ends = (...blocks: readonly ContentBlock[]): ModelEvent[] =>
  blocks.map((block, index) => ({ type: "block_end", index, block }));
const end = (stop: StopReason = "end_turn", input = 1): ModelEvent => ({
  type: "message_end",
  stop,
  usage: { ...noUsage, input, output: 2 },
});

/** A provider that sends these events, one list for each request. */
function sending(...answers: readonly (readonly ModelEvent[])[]): Model {
  let asked = 0;
  return {
    id: modelId,
    provider: "test",
    limits: { contextTokens: 200_000, maxOutputTokens: 8_000 },
    async *stream() {
      yield* answers[asked++] ?? [];
    },
  };
}

const contents = ({ messages }: TurnOutcome) => messages.slice(1).map(({ content }) => content);
const gone = ({ events }: TurnOutcome) => events.flatMap((event) => (event.type === "tombstone" ? [event.uuids] : []));
const shown = ({ events }: TurnOutcome) => events.flatMap((event) => (event.type === "block" ? [event.message] : []));

test("a provider that begins its answer anew is taken at its last word; both responses are paid for", async () => {
  const stopped: unknown[] = [];
  const turn = await runTurn({
    model: sending([
      start("a", 5),
      ...ends(text("Old."), use("old")),
      start("b", 7),
      ...ends(text("New.")),
      end("end_turn", 7),
    ]),
    runTool: async ({ id }, signal) => {
      signal.addEventListener("abort", () => stopped.push([id, signal.reason]));
      return new Promise(() => {});
    },
  });

  expect(contents(turn)).toEqual([[text("New.")]]);
  expect([turn.terminal, stopped]).toEqual([{ reason: "completed" }, [["old", "discarded_answer"]]]);
  expect(gone(turn)).toEqual([
    shown(turn)
      .slice(0, 2)
      .map(({ uuid }) => uuid),
  ]);
  expect(turn.ledger).toMatchObject([
    { responseId: "a", status: "retried", usage: { input: 5 } },
    { responseId: "b", status: "ok", usage: { input: 7, output: 2 } },
  ]);
});

test("the same answer begun twice is one response", async () => {
  const turn = await runTurn({ model: sending([start("a"), start("a"), ...ends(text("Once.")), end()]) });

  expect(contents(turn)).toEqual([[text("Once.")]]);
  expect(turn.ledger).toMatchObject([{ responseId: "a", status: "ok" }]);
});

test.each<[what: string, blocks: ContentBlock[], stop: StopReason]>([
  ["thinking at the end of an answer", [text("Done."), thought], "end_turn"],
  ["a search of the provider's that was cut", [text("Done."), thought, search], "refusal"],
])("%s, which cannot be sent back, is taken off and told as gone", async (_what, blocks, stop) => {
  const turn = await runTurn({ model: sending([start("a"), ...ends(...blocks), end(stop)]) });

  expect(contents(turn)).toEqual([[text("Done.")]]);
  expect(gone(turn)).toEqual([
    shown(turn)
      .slice(1)
      .map(({ uuid }) => uuid),
  ]);
});

test("a paused answer goes back as it is, an open search included", async () => {
  const turn = await runTurn({
    model: sending(
      [start("a"), ...ends(text("Let me search."), search), end("pause_turn")],
      [start("b"), ...ends(text("Found.")), end()],
    ),
  });

  expect(contents(turn)).toEqual([[text("Let me search."), search, text("Found.")]]);
});

test("a text without a letter is neither shown nor kept", async () => {
  const turn = await runTurn({ model: sending([start("a"), ...ends(text("\n\n"), text("Done.")), end()]) });

  expect(contents(turn)).toEqual([[text("Done.")]]);
  expect(shown(turn)).toHaveLength(1);
});

test("of an answer that the user stopped the open text is kept, wherever it stands", async () => {
  const partial = [text(" \n"), text("Whole."), text("Half")];
  const failure: ModelEvent = { type: "failure", failure: { type: "aborted" }, partial, cutBlock: { type: "text" } };
  const turn = await runTurn({ model: sending([start("a"), ...ends(text(" \n"), text("Whole.")), failure]) });

  expect(turn.terminal).toEqual({ reason: "aborted", in: "stream" });
  expect(contents(turn)).toEqual([[text("Whole."), text("Half")], [text("[Request interrupted by user]")]]);
});
