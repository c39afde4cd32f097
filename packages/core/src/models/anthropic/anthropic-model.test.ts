import { expect, test } from "vitest";
import {
  answerWith,
  asking,
  eventsOf,
  modelAt,
  sse,
  wholeAnswer,
  wholeEvents,
} from "../../../test/support/anthropic.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";

test("a question is sent with the key and the version, and its answer comes as whole blocks", async () => {
  await using server = await loopbackServer((response) => answerWith(response, sse(...wholeAnswer("Hello."))));

  expect(await eventsOf(modelAt(server.url), asking("Hi"))).toEqual(wholeEvents("Hello."));

  expect(server.received.map(({ method, url, body }) => ({ method, url, body: JSON.parse(body) }))).toEqual([
    {
      method: "POST",
      url: "/v1/messages",
      body: {
        model: "claude-sonnet-5-5",
        messages: [{ role: "user", content: [{ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }] }],
        max_tokens: 1000,
        stream: true,
        thinking: { type: "adaptive" },
      },
    },
  ]);
  expect(server.received[0]?.headers).toMatchObject({
    "x-api-key": "test-key-0123456789",
    "anthropic-version": "2023-06-01",
    "accept-encoding": "identity",
  });
});
