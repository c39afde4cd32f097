import { describe, expect, test } from "vitest";
import type { AssistantMessage, ContentBlock, ModelId, ToolUseId, UserMessage, Uuid } from "../messages/message.ts";
import { toApiMessage } from "../messages/normalize.ts";
import { violations } from "../messages/violations.ts";
import type { JournalEntry } from "./journal.ts";
import { project, projectWithReport } from "./projection.ts";

const text = (value: string): ContentBlock => ({ type: "text", text: value });
const use = (id: string): ContentBlock => ({ type: "tool_use", id: id as ToolUseId, name: "Read", input: {} });
const result = (id: string): ContentBlock => ({
  type: "tool_result",
  tool_use_id: id as ToolUseId,
  content: `of ${id}`,
});
const image: ContentBlock = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };

type Fields<Of> = Partial<Omit<Of, "role" | "content" | "uuid">>;

/** A line of the user's; its uuid doubles as its text. */
function asked(
  uuid: string,
  parent: string | null,
  content = [text(uuid)],
  fields: Fields<UserMessage> = {},
): JournalEntry {
  const message: UserMessage = { role: "user", uuid: uuid as Uuid, content, ...fields };
  return { type: "message", message, parent: parent as Uuid | null, isSidechain: false };
}

/** A line of an answer; its id is the uuid without the part behind a dot. */
function said(
  uuid: string,
  parent: string | null,
  block = text(uuid),
  fields: Fields<AssistantMessage> = {},
): JournalEntry {
  const message: AssistantMessage = {
    role: "assistant",
    uuid: uuid as Uuid,
    id: uuid.split(".")[0] ?? uuid,
    model: "claude-sonnet-5" as ModelId,
    content: [block],
    stopReason: null,
    usage: null,
    ...fields,
  };
  return { type: "message", message, parent: parent as Uuid | null, isSidechain: false };
}

const change = (op: string, refs: string[], replacement?: UserMessage[]): JournalEntry => ({
  type: "projection",
  op: op as "snip",
  refs,
  reason: "test",
  ...(replacement === undefined ? {} : { replacement }),
});
const summaryOf = (uuid: string): UserMessage => ({
  role: "user",
  uuid: uuid as Uuid,
  content: [text(uuid)],
  isCompactSummary: true,
});
const compacted = (uuid: string, logicalParent: string | null, kept: string[] = []): JournalEntry => ({
  type: "compact_boundary",
  uuid: `${uuid}-boundary` as Uuid,
  logicalParent: logicalParent as Uuid | null,
  trigger: "auto",
  preTokens: 1000,
  summary: summaryOf(uuid),
  kept: kept as Uuid[],
});
const rewound = (to: string, fields: { undoOf?: string; scope?: "files" } = {}): JournalEntry => ({
  type: "rewind",
  to: to as Uuid,
  scope: "conversation",
  ...fields,
});

/** Each message as its role and its parts: texts as they are, calls and results as their ids. */
const seen = (entries: JournalEntry[]) => project(entries).map(({ role, content }) => [role, ...content.map(partOf)]);

function partOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  if (block.type === "tool_use") return `call ${block.id}`;
  return block.type === "tool_result" ? `result ${block.tool_use_id}` : block.type;
}

describe("lines become messages", () => {
  test("the blocks of an answer are one message: in order, with the uuid, usage and stop reason of its last line", () => {
    const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    const messages = project([
      asked("u", null),
      said("m.1", "u", text("look"), { requestId: "req" }),
      said("m.2", "m.1", use("a"), { stopReason: "tool_use", usage }),
    ]);

    expect(messages[1]).toEqual({
      role: "assistant",
      uuid: "m.2",
      id: "m",
      requestId: "req",
      model: "claude-sonnet-5",
      content: [text("look"), use("a")],
      stopReason: "tool_use",
      usage,
    });
  });

  test("B2: the user's lines are one message: results first, in the order of the calls, then the rest in order", () => {
    const messages = project([
      asked("u", null),
      said("m.1", "u", use("a")),
      said("m.2", "m.1", use("b")),
      asked("r2", "m.2", [result("b")]),
      asked("queued", "r2"),
      asked("r1", "queued", [result("a")]),
      asked("note", "r1", [text("note")], { isMeta: true }),
    ]);

    expect(messages[2]).toEqual({
      role: "user",
      uuid: "r1",
      content: [result("a"), result("b"), text("queued"), text("note")],
    });
  });

  test("a message that is all meta is meta", () => {
    const messages = project([
      asked("a", null, [text("a")], { isMeta: true }),
      asked("b", "a", [text("b")], { isMeta: true }),
    ]);

    expect(messages).toEqual([{ role: "user", uuid: "b", content: [text("a"), text("b")], isMeta: true }]);
  });

  test("what is kept about a result stays with the only one", () => {
    const messages = project([
      asked("u", null),
      said("m", "u", use("a")),
      asked("r", "m", [result("a")], { toolUseResult: { lines: 3 } }),
      asked("next", "r"),
    ]);

    expect(messages[2]).toEqual({
      role: "user",
      uuid: "next",
      content: [result("a"), text("next")],
      toolUseResult: { lines: 3 },
    });
  });

  test("a line alone is the message itself", () => {
    const line = asked("u", null);

    expect(line.type === "message" && project([line])[0] === line.message).toBe(true);
  });

  test("an answer goes on across results that were written between its blocks", () => {
    expect(
      seen([
        asked("u", null),
        said("m.1", "u", use("a")),
        asked("r1", "m.1", [result("a")]),
        said("m.2", "r1", use("b")),
        asked("r2", "m.2", [result("b")]),
      ]),
    ).toEqual([
      ["user", "u"],
      ["assistant", "call a", "call b"],
      ["user", "result a", "result b"],
    ]);
  });

  test("two whole answers with the same id are two", () => {
    expect(
      seen([
        asked("u", null),
        said("m.1", "u", use("a"), { stopReason: "tool_use" }),
        asked("r1", "m.1", [result("a")]),
        said("m.2", "r1", text("done"), { stopReason: "end_turn" }),
      ]),
    ).toEqual([
      ["user", "u"],
      ["assistant", "call a"],
      ["user", "result a"],
      ["assistant", "done"],
    ]);
  });

  test("a paused answer and the one that goes on with it are one", () => {
    expect(
      seen([
        asked("u", null),
        said("m", "u", text("searching"), { stopReason: "pause_turn" }),
        said("n", "m", text("found")),
      ]),
    ).toEqual([
      ["user", "u"],
      ["assistant", "searching", "found"],
    ]);
  });

  test("what subagents said is left out; in their own journal it is the conversation", () => {
    const aside = { ...asked("s", null), isSidechain: true } as JournalEntry;

    expect(seen([asked("u", null), aside, said("m", "u")])).toEqual([
      ["user", "u"],
      ["assistant", "m"],
    ]);
    expect(seen([aside])).toEqual([["user", "s"]]);
  });
});

describe("the branch that counts", () => {
  test("is the one that ends in the last line", () => {
    expect(seen([asked("u", null), said("old", "u"), said("new", "u"), asked("next", "new")])).toEqual([
      ["user", "u"],
      ["assistant", "new"],
      ["user", "next"],
    ]);
  });

  test("B53: a line that was never written loses nothing before it, and is reported", () => {
    const entries = [asked("u", null), said("m", "u"), asked("next", "lost"), said("n", "next")];

    expect(projectWithReport(entries)).toEqual({ messages: project(entries), leaf: "n", gaps: ["next"] });
    expect(seen(entries)).toEqual([
      ["user", "u"],
      ["assistant", "m"],
      ["user", "next"],
      ["assistant", "n"],
    ]);
  });

  test("B53: whichever line is lost, all others stay", () => {
    const whole = [
      asked("u", null),
      said("m.1", "u", use("a")),
      asked("r", "m.1", [result("a")]),
      said("n", "r"),
      asked("v", "n"),
    ];
    const seenParts = (entries: JournalEntry[]) => project(entries).flatMap(({ content }) => content.map(partOf));
    const written = (entry: JournalEntry) => (entry.type === "message" ? entry.message.content.map(partOf) : []);

    for (const [lost] of whole.entries()) {
      const rest = whole.toSpliced(lost, 1);
      expect(seenParts(rest).sort()).toEqual(rest.flatMap(written).sort());
    }
  });

  test("B54: a prompt that hangs off a line which is no part of the conversation does not lose the answer before it", () => {
    expect(seen([asked("u", null), said("m", "u"), asked("next", "hook-summary")])).toEqual([
      ["user", "u"],
      ["assistant", "m"],
      ["user", "next"],
    ]);
  });

  test("a file without parents has its order", () => {
    expect(seen([asked("u", null), said("m", null), asked("v", null)])).toEqual([
      ["user", "u"],
      ["assistant", "m"],
      ["user", "v"],
    ]);
  });

  test("a cycle ends where it began, with what came before", () => {
    expect(seen([asked("z", null), said("y", "x"), asked("x", "y"), said("w", "x")])).toEqual([
      ["user", "z"],
      ["assistant", "y"],
      ["user", "x"],
      ["assistant", "w"],
    ]);
  });

  test("a line written twice counts once", () => {
    expect(seen([asked("u", null), said("m", "u"), asked("u", null)])).toEqual([
      ["user", "u"],
      ["assistant", "m"],
    ]);
  });

  test("results of parallel calls that name their own call as parent are all there", () => {
    const entries = [
      asked("u", null),
      said("m.1", "u", use("a")),
      said("m.2", "m.1", use("b")),
      said("m.3", "m.2", use("c"), { stopReason: "tool_use" }),
      asked("r3", "m.3", [result("c")]),
      asked("r1", "m.1", [result("a")]),
      asked("r2", "m.2", [result("b")]),
    ];
    const whole = [
      ["user", "u"],
      ["assistant", "call a", "call b", "call c"],
      ["user", "result a", "result b", "result c"],
    ];

    expect(seen(entries)).toEqual(whole);
    expect(seen([...entries, said("n", "r3")])).toEqual([...whole, ["assistant", "n"]]);
    expect(seen([...entries, said("n", "r1")])).toEqual([...whole, ["assistant", "n"]]);
  });

  test("the result of a call on a branch that was left stays there", () => {
    expect(seen([asked("u", null), said("m", "u", use("a")), asked("r", "m", [result("a")]), said("n", "u")])).toEqual([
      ["user", "u"],
      ["assistant", "n"],
    ]);
  });
});

describe("compaction", () => {
  const before = [asked("u", null), said("m", "u", use("a")), asked("r", "m", [result("a")]), said("n", "r")];

  test("puts the summary in the place of what came before", () => {
    expect(seen([...before, compacted("summary", "n"), asked("v", "summary"), said("o", "v")])).toEqual([
      ["user", "summary", "v"],
      ["assistant", "o"],
    ]);
  });

  test("keeps the messages it names behind the summary, each whole", () => {
    const messages = project([...before, compacted("summary", "n", ["m", "r", "n"]), asked("v", "summary")]);

    expect(messages.map(({ content }) => content.map(partOf))).toEqual([
      ["summary"],
      ["call a"],
      ["result a"],
      ["n"],
      ["v"],
    ]);
    expect(messages[0]).toMatchObject({ isCompactSummary: true });
    expect(violations(messages.map(toApiMessage))).toEqual([]);
  });

  test("a line of an answer is enough to keep it", () => {
    const answer = [asked("u", null), said("m.1", "u", text("one")), said("m.2", "m.1", text("two"))];

    expect(seen([...answer, compacted("summary", "m.2", ["m.1"]), asked("v", "summary")])).toEqual([
      ["user", "summary"],
      ["assistant", "one", "two"],
      ["user", "v"],
    ]);
  });

  test("twice, keeping what was kept", () => {
    expect(
      seen([
        ...before,
        compacted("s1", "n", ["n"]),
        asked("v", "s1"),
        compacted("s2", "v", ["n", "v"]),
        said("o", "s2"),
      ]),
    ).toEqual([
      ["user", "s2"],
      ["assistant", "n"],
      ["user", "v"],
      ["assistant", "o"],
    ]);
  });

  test("a journal that ends with it goes on after the summary", () => {
    expect(projectWithReport([...before, compacted("summary", "n")])).toEqual({
      messages: [summaryOf("summary")],
      leaf: "summary",
      gaps: [],
    });
  });
});

describe("entries that change the projection", () => {
  const history = [
    asked("u", null),
    said("m", "u", use("a")),
    asked("r", "m", [result("a")]),
    said("n", "r"),
    asked("v", "n"),
  ];

  test("clear drops everything before it", () => {
    expect(seen([...history, change("clear", [])])).toEqual([]);
    expect(seen([...history, change("clear", []), asked("w", "v")])).toEqual([["user", "w"]]);
    expect(seen([...history, change("clear", []), asked("w", null)])).toEqual([["user", "w"]]);
  });

  test("a tombstone takes an answer out whole, by any of its lines", () => {
    const retried = [
      asked("u", null),
      said("m.1", "u"),
      said("m.2", "m.1"),
      change("tombstone", ["m.1"]),
      said("n", "m.2"),
    ];

    expect(seen(retried)).toEqual([
      ["user", "u"],
      ["assistant", "n"],
    ]);
  });

  test("a tombstone takes just the user's line it names", () => {
    expect(seen([...history, asked("w", "v"), change("tombstone", ["w"])]).at(-1)).toEqual(["user", "v"]);
  });

  test("a snip takes out the messages it names", () => {
    expect(seen([...history, change("snip", ["u", "m", "r", "n"])])).toEqual([["user", "v"]]);
  });

  test("a collapse puts its summary where the first of its messages stood", () => {
    const summary: UserMessage = { role: "user", uuid: "s" as Uuid, content: [text("what happened")] };

    expect(seen([...history, change("collapse", ["m", "r"], [summary])])).toEqual([
      ["user", "u", "what happened"],
      ["assistant", "n"],
      ["user", "v"],
    ]);
  });

  test("a repair puts each message in the place of the one with its uuid", () => {
    const fixed: UserMessage = {
      role: "user",
      uuid: "r" as Uuid,
      content: [{ ...result("a"), content: "fixed" } as ContentBlock],
    };

    expect(project([...history, change("repair", ["r"], [fixed])])[2]).toEqual(fixed);
  });

  test("cleared results leave a word in their place; by call or by message", () => {
    const cleared = { ...result("a"), content: "[This tool result was cleared to make room.]" };

    for (const ref of ["a", "r"])
      expect(project([...history, change("clear_results", [ref])])[2]?.content).toEqual([cleared]);
  });

  test("stripped media leave a word in their place", () => {
    const shown = { ...result("a"), content: [image, text("x")] } as ContentBlock;
    const entries = [
      asked("u", null, [image]),
      said("m", "u", use("a")),
      asked("r", "m", [shown]),
      change("strip_media", ["u", "a"]),
    ];

    expect(project(entries).flatMap(({ content }) => content)).toEqual([
      text("[image left out]"),
      use("a"),
      { ...result("a"), content: [text("[image left out]"), text("x")] },
    ]);
  });

  test("what names nothing on this branch changes nothing", () => {
    const summary: UserMessage = { role: "user", uuid: "s" as Uuid, content: [text("what happened")] };

    expect(seen([...history, change("collapse", ["elsewhere"], [summary])])).toEqual(seen(history));
  });

  test("nothing that was written is changed", () => {
    const written = structuredClone(history);

    project([...history, change("clear_results", ["a"]), change("snip", ["u"])]);

    expect(history).toEqual(written);
  });
});

describe("a rewind", () => {
  const history = [asked("u", null), said("m", "u"), asked("v", "m"), said("n", "v")];
  const first = [
    ["user", "u"],
    ["assistant", "m"],
  ];

  test("to a prompt goes back to before it; to an answer, to after it", () => {
    expect(seen([...history, rewound("v")])).toEqual(first);
    expect(seen([...history, rewound("m")])).toEqual(first);
    expect(seen([...history, rewound("u")])).toEqual([]);
  });

  test("is followed by what was written after it", () => {
    expect(seen([...history, rewound("v"), asked("w", "m")])).toEqual([...first, ["user", "w"]]);
    expect(seen([...history, rewound("u"), asked("w", null)])).toEqual([["user", "w"]]);
  });

  test("of the files leaves the conversation", () => {
    expect(seen([...history, rewound("v", { scope: "files" })])).toEqual(seen(history));
  });

  test("takes back what changed the projection since, and its undoing brings all of it back", () => {
    const cleared = [...history, change("clear", []), asked("w", null), said("o", "w")];

    expect(seen([...cleared, rewound("v")])).toEqual(first);
    expect(seen([...cleared, rewound("v"), rewound("o", { undoOf: "plan" })])).toEqual([
      ["user", "w"],
      ["assistant", "o"],
    ]);
  });

  test("goes back behind a compaction", () => {
    expect(seen([...history, compacted("s", "n"), asked("w", "s"), rewound("v")])).toEqual(first);
  });
});
