import { readFile } from "node:fs/promises";
import { type ApiBlock, createEngine, tool, violations } from "@pawl/core";
import { describe, expect, test } from "vitest";
import { turn } from "../scenarios/engine-harness.ts";
import { loopbackServer, type Received } from "../support/loopback-server.ts";
import { answers200, type Said, text, use } from "./answers.ts";
import { ask, liveSession } from "./live-session.ts";
import { bodyOf } from "./wire.ts";

/** A provider that refuses one block of the history, by its place, as long as it is there. */
const refusing = (isRefused: (block: ApiBlock) => boolean, first: Said, inner = "") =>
  loopbackServer((response, received, count) => {
    if (count === 1) return answers200(first)(response);
    const place = placeOf(received, isRefused);
    if (place === undefined) return answers200(text(`Answer ${count}.`))(response);
    const error = { type: "invalid_request_error", message: `${place}${inner}: not as it should be` };
    return response.writeHead(400).end(JSON.stringify({ type: "error", error }));
  });

function placeOf(received: Received, isRefused: (block: ApiBlock) => boolean): string | undefined {
  for (const [message, { content }] of bodyOf(received).messages.entries()) {
    const at = content.findIndex(isRefused);
    if (at >= 0) return `messages.${message}.content.${at}`;
  }
  return undefined;
}

const holds = (type: string) => (block: ApiBlock) => block.type === type && JSON.stringify(block).includes("POISON");

describe("a refused part of the history is left out for good, once, whatever it is", () => {
  const call = { blocks: [use("toolu_1", "poison", { word: "POISON" })] };

  test.each<[what: string, type: string, first: Said, keepsRest: boolean, inner?: string]>([
    ["a call, with its result", "tool_use", call, false],
    ["the content of a result", "tool_result", call, false],
    ["one part of a result", "tool_result", call, true, ".tool_result.content.1"],
    ["the only text of an answer", "text", text("POISON"), false],
  ])("%s", async (_what, type, first, keepsRest, inner) => {
    const poison = tool("poison", "Poisons.", { type: "object" }, async () => ({
      content: [
        { type: "text", text: "sound" },
        { type: "text", text: "POISON" },
      ],
    }));
    await using server = await refusing(holds(type), first, inner);
    await using session = await liveSession(server.url, { customTools: [poison], allowedTools: ["poison"] });
    const results = [await ask(session, "go"), await ask(session, "and now?")];
    await session.engine.close();
    await using later = await createEngine({ ...session.options, resume: session.engine.sessionId });
    results.push(await turn(later, "from the disk"));

    expect(results.map(({ result }) => result.is_error)).toEqual([false, false, false]);
    const refused = server.received.filter((received, index) => index > 0 && placeOf(received, holds(type)));
    expect(refused).toHaveLength(1);
    expect(violations(later.messages)).toEqual([]);
    expect(JSON.stringify(later.messages)).toContain("left out: the provider refused it");
    expect(JSON.stringify(later.messages).includes("sound")).toBe(keepsRest);
    expect(await readFile(session.engine.transcriptPath ?? "", "utf8")).toContain('"op":"repair"');
  });
});

test("refused media that the provider counts otherwise than we do are left out all the same (B9)", async () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PNG } };
  await using server = await loopbackServer((response, received, count) => {
    if (!received.body.includes(PNG)) return answers200(text(`Answer ${count}.`))(response);
    const message = "messages.7.content.3.image.source.base64: image exceeds 5 MB maximum";
    return response.writeHead(400).end(JSON.stringify({ error: { type: "invalid_request_error", message } }));
  });
  await using session = await liveSession(server.url);

  const first = await turn(session.engine, [{ type: "text", text: "look" }, image]);
  const second = await ask(session, "and now?");

  expect([first.result.result, second.result.result]).toEqual(["Answer 2.", "Answer 3."]);
});

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
