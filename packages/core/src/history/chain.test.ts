import { describe, expect, test } from "vitest";
import { asked, partOf, result, said, seen, use } from "../../test/support/conversation-lines.ts";
import type { JournalEntry } from "./journal.ts";
import { project, projectWithReport } from "./projection.ts";

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
