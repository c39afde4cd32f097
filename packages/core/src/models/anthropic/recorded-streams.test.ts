import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { asking, eventsOf, modelAt, modelId } from "../../../test/support/anthropic.ts";
import { loopbackServer } from "../../../test/support/loopback-server.ts";
import { outcomesOf, recordings } from "../../../test/support/recorded-streams.ts";
import type { ModelEvent } from "../model.ts";
import { SseParser } from "./sse.ts";
import { Answer } from "./stream.ts";

const SEED = 20261101;

function newAnswer(): Answer {
  const provenance = { provider: "anthropic", model: modelId("claude-sonnet-5-5") };
  return new Answer({ provenance, includeRaw: false, requestId: undefined });
}

function eventsOfPieces(pieces: readonly Uint8Array[]): readonly ModelEvent[] {
  const answer = newAnswer();
  const parser = new SseParser((data, name) => answer.accept(data, name));
  for (const piece of pieces) parser.push(piece);
  parser.end();
  return answer.drain();
}

/** `bytes` cut into pieces of the given sizes, taken round and round. */
function cutUp(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = sizes[pieces.length % sizes.length] ?? 1;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return pieces;
}

describe.each(recordings)("$name", ({ body, expected }) => {
  test("served by a real server it gives exactly the recorded messages", async () => {
    await using server = await loopbackServer(async (response) => {
      response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
      for (const piece of cutUp(Buffer.from(body), [1_000, 37, 4_096])) {
        response.write(piece);
        await new Promise(setImmediate);
      }
      response.end();
    });

    expect(outcomesOf(await eventsOf(modelAt(server.url), asking("Go on.")))).toEqual(expected);
  });

  test.each(["\n", "\r\n", "\r"])("cut anywhere, with lines that end in %j, it gives the same", (lineEnd) => {
    const bytes = Buffer.from(body.replaceAll("\n", lineEnd));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1, maxLength: 20 }), (sizes) => {
        expect(outcomesOf(eventsOfPieces(cutUp(bytes, sizes)))).toEqual(expected);
      }),
      { seed: SEED, numRuns: 15 },
    );
  });
});

test("cut into single bytes, a stream gives the same as whole", () => {
  for (const { body, expected } of recordings.filter(({ body }) => body.length < 20_000)) {
    expect(outcomesOf(eventsOfPieces(cutUp(Buffer.from(body), [1])))).toEqual(expected);
  }
});
