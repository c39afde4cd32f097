import { describe, expect, test } from "vitest";
import { asking, eventsOf, modelAt } from "../../../test/support/anthropic.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import { type Outcome, outcomesOf, recordings } from "../../../test/support/recorded-streams.ts";
import { toApiUsage } from "../../messages/normalize.ts";

/** The answer that a recorded stream is of, as it comes when it is asked for in one piece. */
const bodyOf = ({ stop, usage, cutBlock: _, ...message }: Outcome) =>
  JSON.stringify({ ...message, type: "message", role: "assistant", stop_reason: stop, usage: toApiUsage(usage) });

const wholeOnes = recordings.flatMap(({ name, expected }) => {
  const [outcome] = expected;
  return expected.length === 1 && outcome?.cutBlock === null ? [[name, outcome] as const] : [];
});

const serving = (body: string, cutAt = Number.POSITIVE_INFINITY) =>
  loopbackServer((response) => {
    const bytes = Buffer.from(body);
    response.writeHead(200, { "content-type": "application/json", "content-length": bytes.length });
    response.write(bytes.subarray(0, cutAt));
    if (cutAt >= bytes.length) response.end();
    else setTimeout(() => response.destroy(), 10);
  });

describe.each(wholeOnes)("%s in one piece", (_name, outcome) => {
  test("gives what its stream gave", async () => {
    await using server = await serving(bodyOf(outcome));
    const events = await eventsOf(modelAt(server.url), asking("Go on.", { inOnePiece: true }));

    expect(outcomesOf(events)).toEqual([outcome]);
    expect(JSON.parse(server.received[0]?.body ?? "")).toMatchObject({ stream: false });
  });
});

test("those who watch see its text in events that a stream would have", async () => {
  const [, outcome] = wholeOnes.find(([name]) => name.startsWith("anthropic-text")) ?? [];
  if (outcome === undefined) throw new Error("no recording of a text");
  await using server = await serving(bodyOf(outcome));
  const events = await eventsOf(modelAt(server.url), asking("Go on.", { inOnePiece: true, includeRaw: true }));

  const raw = events.flatMap((event) => (event.type === "raw" ? [JSON.stringify(event.event)] : []));
  const text = raw.flatMap((event) => /"text_delta","text":("(?:[^"\\]|\\.)*")/.exec(event)?.[1] ?? []);
  expect(text.map((piece) => String(JSON.parse(piece))).join("")).toBe(outcome.content[0]?.["text"]);
});

test("one that is cut on its way is a failure, and nothing of it is given", async () => {
  const [, outcome] = wholeOnes[0] ?? [];
  if (outcome === undefined) throw new Error("no recording");
  await using server = await serving(bodyOf(outcome), 40);

  expect(await eventsOf(modelAt(server.url), asking("Go on.", { inOnePiece: true }))).toMatchObject([
    { type: "failure", failure: { type: "cut", phase: "content" }, partial: [] },
  ]);
});

test("nothing is waited for longer than a whole answer may take, and longer than a response may take to begin", async () => {
  await using server = await loopbackServer(async (response) => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const model = modelAt(server.url, { deadlines: { headersMs: 50, wholeAnswerMs: 5_000 } });
  const mute = modelAt(server.url, { deadlines: { headersMs: 50, wholeAnswerMs: 60 } });

  expect(await eventsOf(model, asking("Hi", { inOnePiece: true }))).toMatchObject([{ failure: { status: 200 } }]);
  expect(await eventsOf(mute, asking("Hi", { inOnePiece: true }))).toMatchObject([
    { failure: { type: "timeout", phase: "whole_answer" } },
  ]);
});

describe("a server that knows no streams, or calls them JSON", () => {
  const outcomes = async (body: string) => {
    await using server = await serving(body);
    return outcomesOf(await eventsOf(modelAt(server.url), asking("Go on.")));
  };

  test.each(wholeOnes)("gives %s all the same", async (_name, outcome) => {
    expect(await outcomes(bodyOf(outcome))).toEqual([outcome]);
  });

  test.each(recordings)("gives the stream $name all the same", async ({ body, expected }) => {
    expect(await outcomes(body)).toEqual(expected);
  });

  test("a cut one is a cut answer, and may be asked for again", async () => {
    const [, outcome] = wholeOnes[0] ?? [];
    if (outcome === undefined) throw new Error("no recording");
    await using server = await serving(bodyOf(outcome).slice(0, -10));

    expect(await eventsOf(modelAt(server.url), asking("Go on."))).toMatchObject([
      { type: "failure", failure: { type: "cut" }, partial: [] },
    ]);
  });

  test("a refused key is named by its setting", async () => {
    const error = { type: "authentication_error", message: "no" };
    await using server = await serving(JSON.stringify({ type: "error", error }));

    expect(await eventsOf(modelAt(server.url), asking("Go on."))).toMatchObject([
      { failure: { type: "auth", setting: "ANTHROPIC_API_KEY" } },
    ]);
  });
});
