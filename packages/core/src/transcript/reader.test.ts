import { readFile, truncate, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { expectedTranscripts, recordedTranscript } from "../../test/support/transcripts.ts";
import { project } from "../history/projection.ts";
import { textOf } from "../messages/message.ts";
import { toApiMessage } from "../messages/normalize.ts";
import { repairHistory } from "../messages/repair.ts";
import { violations } from "../messages/violations.ts";
import { tempWorkspace } from "../testing/temp-workspace.ts";
import { readTranscript } from "./reader.ts";

type Fields = Record<string, unknown>;

/** A line of the public form as another writer makes it. */
const line = (type: string, uuid: string, parentUuid: string | null | undefined, more: Fields = {}): Fields => ({
  type,
  uuid,
  ...(parentUuid === undefined ? {} : { parentUuid }),
  sessionId: "s",
  timestamp: "2026-01-02T03:04:05.006Z",
  cwd: "/w",
  isSidechain: false,
  ...more,
});
const user = (uuid: string, parent: string | null | undefined, more: Fields = {}) =>
  line("user", uuid, parent, { message: { role: "user", content: uuid }, ...more });
const assistant = (uuid: string, parent: string | null, more: Fields = {}) =>
  line("assistant", uuid, parent, {
    message: { id: `msg-${uuid}`, role: "assistant", model: "m", content: [{ type: "text", text: uuid }] },
    ...more,
  });

async function readText(text: string) {
  await using folder = await tempWorkspace({ "session.jsonl": text });
  return readTranscript(folder.path("session.jsonl"));
}
const read = (lines: readonly unknown[]) => readText(lines.map((one) => `${JSON.stringify(one)}\n`).join(""));

/** What the model sees: the texts, in order. */
const seen = ({ entries }: Awaited<ReturnType<typeof read>>) => project(entries).map(({ content }) => textOf(content));

const parents = ({ entries }: Awaited<ReturnType<typeof read>>) =>
  Object.fromEntries(
    entries.flatMap((entry) => (entry.type === "message" ? [[entry.message.uuid, entry.parent]] : [])),
  );

describe("files of other writers", () => {
  test.each(Object.entries(expectedTranscripts).filter(([name]) => name !== "pi-large-session.jsonl"))(
    "%s: the lines, the subagents' lines, the orphans and the calls are those that an independent reading found",
    async (name, expected) => {
      const { entries, problems } = await readTranscript(recordedTranscript(name));

      const messages = entries.filter((entry) => entry.type === "message");
      const blocks = messages.flatMap(({ message }) => message.content);
      const results = new Set(blocks.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])));
      const calls = blocks.filter((block) => block.type === "tool_use");
      const count = (type: string) => problems.filter((problem) => problem.type === type).length;
      // A message that cannot be read leaves its uuid to a later line that can be.
      const summaries = entries.filter((entry) => entry.type === "compact_boundary").length;
      const leftOut = count("unreadable_message") + count("duplicate_uuid");

      expect({
        main: messages.filter(({ isSidechain }) => !isSidechain).length + summaries + leftOut,
        aside: messages.filter(({ isSidechain }) => isSidechain).length,
        orphans: count("missing_parent"),
        notRecords: count("not_a_record"),
        calls: calls.length,
        callsWithoutResult: calls.map(({ id }) => id).filter((id) => !results.has(id)),
      }).toEqual({
        main: expected.main_records,
        aside: expected.sidechain_records,
        orphans: expected.records_with_missing_parent,
        notRecords: expected.json_lines_that_are_not_objects,
        calls: expected.tool_uses,
        callsWithoutResult: expected.tool_uses_without_result,
      });
    },
  );

  test.each(["fe5e1c67-53e7-4862-81ae-d0e013e3270b", "5c0375b4-57a5-4f26-b12d-d022ee4e51b7"])(
    "%s: the main chain is whole, and usage stands once an answer",
    async (sessionId) => {
      const transcript = await readTranscript(recordedTranscript(`${sessionId}.jsonl`));
      const chain = expectedTranscripts[`${sessionId}.jsonl`]?.chain_from_last_main_record;

      const byUuid = parents(transcript);
      const trail: string[] = [];
      for (let at: string | null = chain?.leaf_uuid ?? null; at !== null; at = byUuid[at] ?? null) trail.push(at);
      const main = transcript.entries.flatMap((entry) =>
        entry.type === "message" && !entry.isSidechain && entry.message.role === "assistant" ? [entry.message] : [],
      );

      expect([trail.length, trail.at(-1)]).toEqual([chain?.records, chain?.first_uuid]);
      expect(new Set(main.map(({ id }) => id)).size).toBe(chain?.distinct_assistant_message_ids);
      expect(main.filter(({ usage }) => usage !== null)).toHaveLength(chain?.distinct_assistant_message_ids ?? 0);
      expect(transcript).toMatchObject({ sessionId, problems: [] });
      expect(project(transcript.entries).filter(({ role }) => role === "assistant")).toHaveLength(
        chain?.distinct_assistant_message_ids ?? 0,
      );
    },
  );

  test.each(Object.keys(expectedTranscripts))("%s: gives a history that the API takes after repair", async (name) => {
    const { entries } = await readTranscript(recordedTranscript(name));
    const { messages } = repairHistory(project(entries));
    expect(violations(messages.map(toApiMessage))).toEqual([]);
  });

  test("a branch that was left before a compaction stays left after it", async () => {
    const transcript = await readTranscript(recordedTranscript("dag_compact_after_rewind.jsonl"));

    expect(seen(transcript).join("\n")).toMatch(
      /Summary: the user asked for a plan\.\n?After compaction\nFinal answer$/,
    );
    expect(seen(transcript).join("\n")).not.toMatch(/Start|attempt|First answer|Second answer/);
  });

  test("misspelt keys, wrong shapes and doubled ids cost only their own lines", async () => {
    const transcript = await readTranscript(recordedTranscript("edge_cases.jsonl"));

    expect(transcript.problems.map(({ type, line }) => `${line}: ${type}`)).toEqual([
      "10: unreadable_message",
      "11: unreadable_message",
      "13: not_a_record",
      "15: not_a_record",
      "16: not_a_record",
      "17: missing_parent",
    ]);
    // No line names a parent that is there: the order of the file counts.
    const uuids = Object.keys(parents(transcript));
    expect(Object.values(parents(transcript))).toEqual([null, ...uuids.slice(0, -1)]);
  });

  test("a file of quite another form holds no conversation, and nothing breaks", async () => {
    const { entries, lines, problems } = await readTranscript(recordedTranscript("pi-large-session.jsonl"));
    const text = await readFile(recordedTranscript("pi-large-session.jsonl"), "utf8");
    expect({ entries, lines, problems }).toEqual({ entries: [], lines: text.trim().split("\n").length, problems: [] });
  });
});

describe("lines that are missing or lead astray", () => {
  test("B53: after a line that was never written the conversation goes on in the order of the file", async () => {
    const whole = [user("u1", null), assistant("a1", "u1"), user("u2", "a1"), assistant("a2", "u2"), user("u3", "a2")];
    for (let gap = 1; gap < whole.length - 1; gap++) {
      const left = whole.filter((_, at) => at !== gap);
      const transcript = await read(left);
      expect(transcript.problems.map(({ type, line: at }) => ({ type, at }))).toEqual([
        { type: "missing_parent", at: gap + 1 },
      ]);
      expect(Object.values(parents(transcript))).toEqual([null, ...left.slice(0, -1).map(({ uuid }) => uuid)]);
    }
  });

  test("B54: an answer is not lost when the next prompt hangs off a hook's report beside it", async () => {
    const report = line("system", "report", "u1", { subtype: "stop_hook_summary" });
    for (const lines of [
      [user("u1", null), assistant("a1", "u1"), report, user("u2", "report"), assistant("a2", "u2")],
      [user("u1", null), report, assistant("a1", "u1"), user("u2", "report"), assistant("a2", "u2")],
    ]) {
      expect(seen(await read(lines))).toEqual(["u1", "a1", "u2", "a2"]);
    }
  });

  test("a branch that was left stays left when both branches hang off a notice", async () => {
    const transcript = await read([
      user("u1", null),
      assistant("a1", "u1"),
      line("system", "notice", "a1", { subtype: "turn_duration" }),
      user("left", "notice"),
      assistant("left-answer", "left"),
      user("u2", "notice"),
      assistant("a2", "u2"),
    ]);
    expect(seen(transcript)).toEqual(["u1", "a1", "u2", "a2"]);
  });

  test("B56: a prompt whose parent is a subagent's line follows the main thread", async () => {
    const transcript = await read([
      user("u1", null),
      assistant("a1", "u1"),
      user("side", null, { isSidechain: true }),
      assistant("side-answer", "side", { isSidechain: true }),
      user("u2", "side-answer"),
      assistant("a2", "u2"),
    ]);
    expect(parents(transcript)).toMatchObject({ u2: "a1", a2: "u2" });
    expect(seen(transcript)).toEqual(["u1", "a1", "u2", "a2"]);
  });

  test("hooks, attachments and old progress lines are stepped over", async () => {
    const transcript = await read([
      line("attachment", "hook", null, { attachment: { type: "hook_success" } }),
      user("u1", "hook"),
      line("progress", "p1", "u1"),
      line("progress", "p2", "p1"),
      assistant("a1", "p2"),
    ]);
    expect(parents(transcript)).toEqual({ u1: null, a1: "u1" });
    expect(transcript.problems).toEqual([]);
  });

  test("lines that are their own ancestors are put in the order of the file", async () => {
    const transcript = await read([user("u1", "a2"), assistant("a1", "u1"), user("u2", "a1"), assistant("a2", "u2")]);
    expect(parents(transcript)).toEqual({ u1: null, a1: "u1", u2: "a1", a2: "u2" });
    expect(transcript.problems.map(({ type }) => type)).toEqual(["cycle"]);
    expect(parents(await read([user("self", "self")]))).toEqual({ self: null });
  });

  test("a doubled line counts once", async () => {
    const lines = [user("u1", null), assistant("a1", "u1"), user("u1", null), user("u2", "a1")];
    const transcript = await read(lines);
    expect(seen(transcript)).toEqual(["u1", "a1", "u2"]);
    expect(transcript.problems).toMatchObject([{ type: "duplicate_uuid", line: 3 }]);
  });

  test("a compaction without its summary changes nothing", async () => {
    const boundary = line("system", "mark", null, { subtype: "compact_boundary", logicalParentUuid: "a1" });
    const transcript = await read([user("u1", null), assistant("a1", "u1"), boundary, user("u2", "mark")]);
    expect(seen(transcript)).toEqual(["u1", "a1", "u2"]);
    expect(transcript.problems).toMatchObject([{ type: "no_summary", line: 3 }]);
  });

  test("messages that another writer kept through a compaction are found by the ends of their segment", async () => {
    const transcript = await read([
      user("u1", null),
      assistant("a1", "u1"),
      user("u2", "a1"),
      assistant("a2", "u2"),
      line("system", "mark", null, {
        subtype: "compact_boundary",
        logicalParentUuid: "a2",
        compactMetadata: {
          trigger: "manual",
          preTokens: 9,
          preservedSegment: { headUuid: "u2", anchorUuid: "summary", tailUuid: "a2" },
        },
      }),
      user("summary", "mark", { isCompactSummary: true }),
      user("u3", "summary"),
    ]);
    expect(transcript.entries[4]).toMatchObject({ trigger: "manual", preTokens: 9, kept: ["u2", "a2"] });
  });
});

describe("damaged files", () => {
  const sound = [user("u1", null), assistant("a1", "u1"), user("u2", "a1"), assistant("a2", "u2")];
  const text = sound.map((one) => `${JSON.stringify(one)}\n`);

  test("a torn last line costs only itself", async () => {
    const transcript = await readText(text.join("").slice(0, -20));
    expect(seen(transcript)).toEqual(["u1", "a1", "u2"]);
    expect(transcript.problems).toMatchObject([{ type: "torn", line: 4 }]);
  });

  test("a line that was written into the end of a torn one is kept", async () => {
    const torn = JSON.stringify(user("lost", "a2")).slice(0, 60);
    const transcript = await readText(`${text.join("")}${torn}${JSON.stringify(user("u3", "a2"))}\n`);
    expect(seen(transcript)).toEqual(["u1", "a1", "u2", "a2", "u3"]);
    expect(transcript.problems).toMatchObject([{ type: "not_json", line: 5 }]);
  });

  test("NUL bytes, garbage, carriage returns and a byte order mark cost no message", async () => {
    const pieces = [
      "\uFEFF",
      text[0],
      "\0\0\0\0\n",
      "}{ rubbish\n",
      text[1]?.replace("\n", "\r\n"),
      "\0\0",
      text[2],
      text[3],
    ];
    const transcript = await readText(pieces.join(""));
    expect(seen(transcript)).toEqual(["u1", "a1", "u2", "a2"]);
    expect(transcript.problems.map(({ type, line: at }) => `${at}: ${type}`)).toEqual([
      "2: nul_bytes",
      "3: not_json",
      "5: nul_bytes",
    ]);
  });

  test("a file cut at any byte gives the messages that were whole", async () => {
    await using folder = await tempWorkspace({ "session.jsonl": text.join("") });
    const path = folder.path("session.jsonl");
    for (let size = Buffer.byteLength(text.join("")); size >= 0; size -= 13) {
      await truncate(path, size);
      const left = await readFile(path, "utf8");
      const { entries } = await readTranscript(path);
      const whole = left.split("\n").filter((one) => one.endsWith("}}") || one.endsWith("false}")).length;
      expect(entries.length).toBe(whole);
    }
  });

  test("an empty file is an empty session", async () => {
    expect(await readText("")).toMatchObject({ entries: [], problems: [], lines: 0, sessionId: null });
  });
});

test("a hundred thousand lines load in a few seconds", async () => {
  await using folder = await tempWorkspace();
  const path = folder.path("long.jsonl");
  const count = 100_000;
  const lines: string[] = [];
  for (let at = 0; at < count; at++) {
    const parent = at === 0 ? null : `n${at - 1}`;
    lines.push(JSON.stringify(at % 2 === 0 ? user(`n${at}`, parent) : assistant(`n${at}`, parent)));
  }
  await writeFile(path, `${lines.join("\n")}\n`);

  const start = process.cpuUsage();
  const { entries, problems } = await readTranscript(path);
  const { user: userUs, system: systemUs } = process.cpuUsage(start);

  expect([entries.length, problems.length]).toEqual([count, 0]);
  // Time of the processor, not of the clock: other work on the machine does not count. Usually 2 s.
  expect((userUs + systemUs) / 1_000).toBeLessThan(10_000);
}, 60_000);
