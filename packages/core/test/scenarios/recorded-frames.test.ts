import { createEngine } from "@pawl/core";
import { expect, test } from "vitest";
import { addUsage, noUsage } from "../../src/messages/message.ts";
import { toApiUsage } from "../../src/messages/normalize.ts";
import { answerWith } from "../support/anthropic.ts";
import { loopbackServer } from "../support/loopback-server.ts";
import { recordings } from "../support/recorded-streams.ts";
import { place, turn } from "./engine-harness.ts";

/** What a body of server-sent events holds. */
const eventsIn = (body: string): unknown[] =>
  [...body.matchAll(/^data: ?(\{.*\})$/gm)].map(([, data = ""]) => JSON.parse(data));

test.each(recordings)("$name: the frames follow from the recorded messages", async ({ body, expected }) => {
  await using at = await place();
  await using server = await loopbackServer((response, _received, count) => {
    if (count === 1) answerWith(response, body);
    else response.writeHead(400).end('{"error":{"type":"invalid_request_error","message":"the recording is over"}}');
  });
  const env = { ...at.options.env, ANTHROPIC_API_KEY: "test-key-0123456789", ANTHROPIC_BASE_URL: server.url };
  const engine = await createEngine({ ...at.options, env, tools: [], maxTurns: 1, includePartialMessages: true });

  const { frames, result } = await turn(engine, "go");
  await engine.close();

  // A message that is begun anew under its own id is one; under another id both are paid for.
  const paid = new Map(expected.map(({ id, usage }) => [id, usage]));
  const events = frames.flatMap((frame) => (frame.type === "stream_event" ? [frame.event] : []));
  expect(events).toEqual(eventsIn(body));
  const answers = frames.filter((frame) => frame.type === "assistant" && frame.error === undefined);
  const blocks = expected.flatMap(({ content }) => content);
  expect(answers).toMatchObject(blocks.map((block) => ({ message: { content: [block], stop_reason: null } })));
  expect(result.usage).toEqual(toApiUsage([...paid.values()].reduce(addUsage, noUsage)));
  expect(result).toMatchObject({ num_turns: 1, stop_reason: expected.at(-1)?.stop });
});
