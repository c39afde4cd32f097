import { describe, expect, test } from "vitest";
import { asked, result, said, seen, text, use } from "../../test/support/conversation-lines.ts";
import type { JournalEntry } from "./journal.ts";
import { project } from "./projection.ts";

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
