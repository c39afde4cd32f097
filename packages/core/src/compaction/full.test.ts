import { describe, expect, test } from "vitest";
import { type Message, noUsage, type Uuid } from "../messages/message.ts";
import { toApiMessage } from "../messages/normalize.ts";
import { violations } from "../messages/violations.ts";
import { fails, says, scriptedModel, thinks } from "../testing/scripted-model.ts";
import { type CompactionRequest, compactFully } from "./full.ts";

/** A conversation of `rounds` answers, each with a call and a result of `chars` characters. */
function conversation(rounds: number, chars: number): Message[] {
  const messages: Message[] = [
    { role: "user", uuid: "p" as Uuid, content: [{ type: "text", text: "Only report, change nothing." }] },
  ];
  for (let n = 0; n < rounds; n++) {
    const id = `t${n}` as never;
    messages.push(
      {
        role: "assistant",
        uuid: `a${n}` as Uuid,
        id: `m${n}`,
        model: "scripted" as never,
        content: [{ type: "tool_use", id, name: "Read", input: { n } }],
        stopReason: "tool_use",
        usage: noUsage,
      },
      {
        role: "user",
        uuid: `r${n}` as Uuid,
        content: [{ type: "tool_result", tool_use_id: id, content: "x".repeat(chars) }],
      },
    );
  }
  return messages;
}

const tooLong = fails({ type: "prompt_too_long", message: "prompt is too long" });
const limits = { contextTokens: 40_000, maxOutputTokens: 8_000 };

async function run(
  messages: Message[],
  answers: Parameters<typeof scriptedModel>[0],
  more: Partial<CompactionRequest> = {},
) {
  const model = scriptedModel(answers, { limits });
  let uuids = 0;
  const spent: string[] = [];
  const pauses: number[] = [];
  const compaction = await compactFully(
    {
      messages,
      model,
      context: "context",
      uuid: () => `n${++uuids}` as Uuid,
      pause: async (tries) => void pauses.push(tries),
      spent: async ({ id }) => void spent.push(id),
      ...more,
    },
    new AbortController().signal,
  );
  return { compaction, model, spent, pauses };
}

describe("a full compaction", () => {
  test("keeps the newest whole rounds, and the user's last request in its own words", async () => {
    const { compaction, model, spent } = await run(conversation(20, 8_000), [
      [thinks("hm"), says("<scratch>I think.</scratch>\nThe summary.")],
    ]);

    const kept = compaction?.kept ?? [];
    expect(kept.map((message) => message.uuid)).toEqual(["a16", "r16", "a17", "r17", "a18", "r18", "a19", "r19"]);
    const text = JSON.stringify(compaction?.summary.content);
    expect(text).toContain("The summary.");
    expect(text).toContain("Only report, change nothing.");
    expect(text).toContain("context");
    expect(text).not.toContain("I think.");
    expect(violations([compaction?.summary as Message, ...kept].map(toApiMessage), { as: "request" })).toEqual([]);
    expect(model.requests[0]).toMatchObject({ tools: [], skipCacheWrite: true });
    expect(spent).toHaveLength(1);
  });

  test("asks again with less when the summary request is itself too long, twice at most", async () => {
    const helped = await run(conversation(20, 8_000), [tooLong, says("Shorter.")]);
    const never = await run(conversation(20, 8_000), [tooLong, tooLong, tooLong]);

    expect(helped.compaction?.summary).toBeDefined();
    expect(JSON.stringify(helped.model.requests[1]).length).toBeLessThan(
      JSON.stringify(helped.model.requests[0]).length,
    );
    expect(never.compaction).toBeUndefined();
    expect(never.model.requests).toHaveLength(3);
  });

  test("tries again what may pass, three times in all", async () => {
    const overloaded = fails({ type: "overloaded", status: 529, phase: "headers", message: "x" });
    const helped = await run(conversation(20, 8_000), [overloaded, overloaded, says("Summary.")]);
    const never = await run(conversation(20, 8_000), [overloaded, overloaded, overloaded]);

    expect([helped.compaction === undefined, helped.pauses]).toEqual([false, [1, 2]]);
    expect([never.compaction, never.model.requests.length]).toEqual([undefined, 3]);
  });

  test.each([
    ["an empty summary (B6)", says("<scratch>only this</scratch> \n")],
    ["an error", fails({ type: "billing", status: 402, message: "x" })],
    ["a summary that is longer than what it stands for", says("long ".repeat(50_000))],
  ])("%s is a failed compaction", async (_what, answer) => {
    const { compaction } = await run(conversation(20, 8_000), [answer]);

    expect(compaction).toBeUndefined();
  });

  test("one message alone that fills the window is summarised too", async () => {
    const messages: Message[] = [
      { role: "user", uuid: "p" as Uuid, content: [{ type: "text", text: "Look at this." }] },
      ...conversation(1, 200_000).slice(1),
    ];
    const { compaction } = await run(messages, [says("Summary.")]);

    expect(compaction?.kept).toEqual([]);
  });
});
