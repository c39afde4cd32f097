import { describe, expect, test } from "vitest";
import {
  asked,
  change,
  compacted,
  image,
  partOf,
  result,
  said,
  seen,
  summaryOf,
  text,
  use,
} from "../../test/support/conversation-lines.ts";
import type { ContentBlock, UserMessage, Uuid } from "../messages/message.ts";
import { toApiMessage } from "../messages/normalize.ts";
import { violations } from "../messages/violations.ts";
import { project, projectWithReport } from "./projection.ts";

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
