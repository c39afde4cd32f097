import Anthropic from "@anthropic-ai/sdk";
import { LLMock } from "@copilotkit/aimock";
import { describe, expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  modelAt,
  modelId,
  sse,
  user,
  uuid,
  wholeAnswer,
} from "../../../test/support/anthropic.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import { outcomesOf, recordings } from "../../../test/support/recorded-streams.ts";
import type { Message, ToolUseId } from "../../messages/message.ts";
import type { ModelRequest } from "../model.ts";

const readTool = {
  name: "Read",
  description: "Reads a file.",
  inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
};

const id = "toolu_1" as ToolUseId;

const conversation: Message[] = [
  user("Read a.txt."),
  {
    role: "assistant",
    uuid: uuid("a"),
    id: "msg_1",
    model: modelId("claude-sonnet-5-5"),
    content: [
      { type: "thinking", thinking: "Reading.", signature: "c2ln" },
      { type: "text", text: "I read it." },
      { type: "tool_use", id, name: "Read", input: { path: "a.txt" } },
    ],
    stopReason: "tool_use",
    usage: null,
  },
  {
    role: "user",
    uuid: uuid("r"),
    content: [
      { type: "tool_result", tool_use_id: id, content: [{ type: "text", text: "alpha" }] },
      { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
    ],
  },
];

const request: ModelRequest = asking("", {
  tools: [readTool],
  system: ["You are Pawl."],
  messages: conversation,
  thinking: { type: "adaptive", effort: "high" },
});

describe("the vendor's own client", () => {
  const clientOf = (baseURL: string) => new Anthropic({ baseURL, apiKey: "test-key-0123456789", maxRetries: 0 });

  test("takes a body of ours as its parameters and sends the same", async () => {
    await using server = await loopbackServer((response) => answerWith(response, sse(...wholeAnswer("alpha"))));

    await eventsOf(modelAt(server.url), request);
    const ours: Anthropic.MessageCreateParamsStreaming = JSON.parse(server.received[0]?.body ?? "");
    for await (const _ of await clientOf(server.url).messages.create(ours));

    expect(JSON.parse(server.received[1]?.body ?? "")).toEqual(ours);
    expect(server.received.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(2).fill("POST /v1/messages"));
  });

  // The client stops at the end of the first message, takes a repeated start for an error and fails at a call without end.
  const readable = recordings.filter(
    ({ name, expected }) => expected.length === 1 && expected[0]?.cutBlock === null && !name.startsWith("duplicate"),
  );

  test.each(readable)("reads $name as we do", async ({ body, expected }) => {
    await using server = await loopbackServer((response) => answerWith(response, body));
    const stream = clientOf(server.url).beta.messages.stream({
      model: "claude-sonnet-5-5",
      max_tokens: 1_000,
      messages: [{ role: "user", content: "Hi" }],
    });

    const message = await stream.finalMessage();

    const [ours] = outcomesOf(await eventsOf(modelAt(server.url), asking("Hi")));
    expect({ id: message.id, model: message.model, stop: message.stop_reason, content: message.content }).toEqual({
      id: ours?.id,
      model: ours?.model,
      stop: ours?.stop,
      content: ours?.content,
    });
    expect(ours).toEqual(expected[0]);
  });
});

describe("a mock server of a third party", () => {
  test("answers our requests, with text and with a tool call", async () => {
    const mock = new LLMock({ port: 0 });
    mock.onMessage("hello", { content: "Hi there!" });
    mock.onMessage("read", { toolCalls: [{ name: "Read", arguments: '{"path":"a.txt"}' }] });
    await mock.start();
    try {
      const model = modelAt(mock.url);

      expect(await eventsOf(model, asking("hello"))).toMatchObject([
        { type: "message_start" },
        { type: "block_end", index: 0, block: { type: "text", text: "Hi there!" } },
        { type: "message_end", stop: "end_turn" },
      ]);
      expect((await eventsOf(model, asking("read", { tools: [readTool] }))).slice(1)).toMatchObject([
        { type: "block_end", block: { type: "tool_use", name: "Read", input: { path: "a.txt" } } },
        { type: "message_end", stop: "tool_use" },
      ]);
      expect(await eventsOf(model, asking("nobody expects this"))).toMatchObject([
        { failure: { type: "invalid_request", status: 404 } },
      ]);
    } finally {
      await mock.stop();
    }
  });
});
