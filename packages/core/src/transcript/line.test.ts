import { appendFile, readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { answer, arbitraryJournal, call, chainOf, nextUuid, prompt } from "../../test/support/journal-entries.ts";
import { newTranscript, SESSION, writing } from "../../test/support/transcripts.ts";
import type { JournalEntry } from "../history/journal.ts";
import { tempWorkspace } from "../testing/temp-workspace.ts";
import { toLines } from "./line.ts";
import { readTranscript } from "./reader.ts";

async function written(entries: readonly JournalEntry[]) {
  await using home = await tempWorkspace();
  const store = await newTranscript(home.root);
  await Promise.all(entries.map((entry) => store.append(entry)));
  await store.close();
  const path = store.path ?? "";
  return entries.length === 0 ? undefined : { read: await readTranscript(path), text: await readFile(path, "utf8") };
}

test("every kind of entry is read as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryJournal, async (journal) => {
      const result = await written(journal);
      expect(result?.read.problems ?? []).toEqual([]);
      expect(result?.read.entries ?? []).toEqual(journal);
    }),
    { numRuns: 60 },
  );
});

const envelope = {
  sessionId: SESSION,
  cwd: writing.cwd,
  version: writing.version,
  entrypoint: "cli",
  timestamp: "2026-01-02T03:04:05.006Z",
};

test("a prompt, an answer's line and a result have the public form", () => {
  const user = prompt("list files");
  const use = answer(call("toolu_1", "Glob", { pattern: "*" }), {
    id: "msg_1",
    requestId: "req_1",
    usage: null,
    stopReason: null,
  });
  const result = {
    role: "user" as const,
    uuid: nextUuid(),
    content: [{ type: "tool_result" as const, tool_use_id: "toolu_1" as never, content: "a.txt" }],
    toolUseResult: { numFiles: 1 },
    sourceToolAssistantUuid: use.uuid,
  };
  const common = { ...envelope, userType: "external", isSidechain: false };

  expect(chainOf([user, use, result]).flatMap((entry) => toLines(entry, envelope))).toEqual([
    { type: "user", uuid: user.uuid, parentUuid: null, ...common, message: { role: "user", content: "list files" } },
    {
      type: "assistant",
      uuid: use.uuid,
      parentUuid: user.uuid,
      ...common,
      requestId: "req_1",
      message: {
        id: "msg_1",
        type: "message",
        role: "assistant",
        model: "claude-test",
        content: [{ type: "tool_use", id: "toolu_1", name: "Glob", input: { pattern: "*" } }],
        stop_reason: null,
        stop_sequence: null,
      },
    },
    {
      type: "user",
      uuid: result.uuid,
      parentUuid: use.uuid,
      ...common,
      sourceToolAssistantUUID: use.uuid,
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "a.txt" }] },
      toolUseResult: { numFiles: 1 },
    },
  ]);
});

test("only the last line of an answer carries usage", async () => {
  const id = "msg_1";
  const lines = [
    answer({ type: "text", text: "Looking." }, { id, usage: null, stopReason: null }),
    answer(call("toolu_1", "Glob", {}), { id, stopReason: "tool_use" }),
  ];

  const text = (await written(chainOf(lines)))?.text ?? "";

  const usages = text
    .split("\n")
    .filter((line) => line.includes('"assistant"'))
    .map((line) => JSON.parse(line).message.usage?.output_tokens);
  expect(usages).toEqual([undefined, 5]);
});

test("B3: a signed block comes back byte for byte, with who made it kept beside it and never inside", async () => {
  const block = {
    type: "thinking" as const,
    thinking: "",
    signature: "c2lnbmVk+/==",
    provenance: { provider: "anthropic", model: "claude-a" as never },
  };

  const result = await written(chainOf([prompt("go"), answer(block)]));

  expect(result?.text).toContain('"content":[{"type":"thinking","thinking":"","signature":"c2lnbmVk+/=="}]');
  expect(result?.read.entries[1]).toMatchObject({ message: { content: [block] } });
});

test("a compaction is the public mark and its summary", async () => {
  const entry: JournalEntry = {
    type: "compact_boundary",
    uuid: nextUuid(),
    logicalParent: nextUuid(),
    trigger: "auto",
    preTokens: 150_000,
    summary: prompt("Summary.", { isCompactSummary: true }),
    kept: [],
  };

  expect(toLines(entry, envelope)).toMatchObject([
    {
      type: "system",
      subtype: "compact_boundary",
      uuid: entry.uuid,
      parentUuid: null,
      logicalParentUuid: entry.logicalParent,
      content: "Conversation compacted",
      level: "info",
      compactMetadata: { trigger: "auto", preTokens: 150_000 },
    },
    { type: "user", parentUuid: entry.uuid, isCompactSummary: true, isVisibleInTranscriptOnly: true },
  ]);
});

test("a result that JSON cannot hold is written as far as it can be", async () => {
  const cyclic: Record<string, unknown> = { size: 3n };
  cyclic["self"] = cyclic;

  const result = await written(chainOf([prompt("go", { toolUseResult: cyclic })]));

  expect(result?.read.problems).toEqual([]);
  expect(result?.read.entries).toMatchObject([{ message: { toolUseResult: { size: "3" } } }]);
});

test("a record of a newer version is read as far as it is known, and reported", async () => {
  await using home = await tempWorkspace();
  const store = await newTranscript(home.root);
  await store.append({ type: "state", part: "mode", value: "plan" });
  await store.close();
  const path = store.path ?? "";
  const newer = { type: "pawl", kind: "state", v: 2, sessionId: SESSION, part: "mode", value: "default" };
  const unknown = { type: "pawl", kind: "hologram", sessionId: SESSION };
  await appendFile(path, `${JSON.stringify(newer)}\n${JSON.stringify(unknown)}\n`);

  const { entries, problems } = await readTranscript(path);

  expect(entries).toEqual([
    { type: "state", part: "mode", value: "plan" },
    { type: "state", part: "mode", value: "default" },
  ]);
  expect(problems).toEqual([
    { type: "newer_record", line: 3, message: '"state" is of record version 2; this program knows 1' },
  ]);
});
