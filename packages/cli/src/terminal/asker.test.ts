import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { plainStyle } from "../print/terminal-text.ts";
import { Asker, type Question } from "./asker.ts";
import { callLines } from "./call-lines.ts";
import { folded, rowsIn, withUnseenShown } from "./shown-text.ts";
import { askTrustOnTerminal } from "./trust-question.ts";

class Input extends EventEmitter {
  setRawMode(): void {}
  resume(): void {}
  pause(): void {}
  type(text: string): void {
    this.emit("data", Buffer.from(text));
  }
}

function terminal(columns = 80) {
  const input = new Input();
  const events: string[] = [];
  let written = "";
  const waits: { text: string; times: number; resolve: () => void }[] = [];
  const isSeen = (text: string, times: number) => written.split(text).length > times;
  const write = (text: string) => {
    written += text;
    for (const wait of waits.splice(0)) {
      if (isSeen(wait.text, wait.times)) wait.resolve();
      else waits.push(wait);
    }
  };
  const asker = new Asker({
    input,
    output: { write, columns, rows: 24 },
    style: plainStyle,
    pauseDisplay() {
      events.push("paused");
      return () => events.push("resumed");
    },
    interrupt: () => events.push("interrupted"),
    suspend: async () => {
      events.push("suspended");
    },
  });
  const sees = (text: string, times = 1) =>
    new Promise<void>((resolve) => {
      if (isSeen(text, times)) resolve();
      else waits.push({ text, times, resolve });
    });
  return { input, events, asker, sees, written: () => written };
}

const question = (title: string): Question<string> => ({
  title,
  body: ["what it does"],
  reasons: ["why"],
  choices: [
    { key: "y", label: "yes", value: "yes" },
    { key: "t", label: "no, but", value: "but", wantsText: "What then?" },
  ],
});

test("two questions stand one after the other, and one that is withdrawn in the queue is never shown", async () => {
  const { input, events, asker, sees, written } = terminal();
  const withdrawn = new AbortController();
  const replies = [
    asker.ask(question("First?")),
    asker.ask(question("Second?"), withdrawn.signal),
    asker.ask(question("Third?")),
  ];
  await sees("First?");
  withdrawn.abort();
  await sees("[Esc] stop");
  input.type("y");
  await sees("Third?");
  input.type("y");
  expect(await Promise.all(replies)).toEqual([
    { type: "chosen", value: "yes", text: "" },
    { type: "withdrawn" },
    { type: "chosen", value: "yes", text: "" },
  ]);
  expect(written()).not.toContain("Second?");
  expect(events).toEqual(["paused", "resumed", "paused", "resumed"]);
});

test("a question that stands there is withdrawn too, and says so", async () => {
  const { asker, sees, written, events } = terminal();
  const controller = new AbortController();
  const reply = asker.ask(question("First?"), controller.signal);
  await sees("[Esc] stop");
  controller.abort();
  expect(await reply).toEqual({ type: "withdrawn" });
  expect(written()).toContain("not needed any more");
  expect(events).toEqual(["paused", "resumed"]);
});

test("keys that are no choice, and pastes, choose nothing; going back from words asks again", async () => {
  const { input, asker, sees, events } = terminal();
  const reply = asker.ask(question("First?"));
  await sees("[Esc] stop");
  for (const keys of ["q", "\r", "yy", "y\nn\n", "t"]) input.type(keys);
  await sees("What then?");
  input.type("some words");
  await sees("> some words");
  input.type("\x1b");
  await sees("[Esc] stop", 2);
  input.type("\x1a");
  await sees("[Esc] stop", 3);
  input.type("t");
  await sees("What then?", 2);
  input.type("other words\r");
  expect(await reply).toEqual({ type: "chosen", value: "but", text: "other words" });
  expect(events).toEqual(["paused", "suspended", "resumed"]);
});

test("the answer to the question of trust is no, unless somebody says yes", async () => {
  const item = { place: "/p/.pawl/settings.json", key: "env.X", effect: "sets\u202E X", status: "changed" as const };
  for (const [keys, answer] of [
    ["y", "yes"],
    ["o", "once"],
    ["n", "no"],
    ["\r", "no"],
    ["\x1b", "no"],
  ] as const) {
    const { input, asker, sees, written } = terminal(200);
    const reply = askTrustOnTerminal(asker)({ folder: "/p", occasion: "changed", items: [item] });
    await sees("[Esc] stop");
    expect(written()).toContain("changed: /p/.pawl/settings.json: env.X: sets\\u{202E} X");
    input.type(keys);
    expect(await reply).toBe(answer);
  }
});

test("rows are as wide as the terminal, wide letters counted double, and long texts keep both ends", () => {
  expect(rowsIn("abcdef", 4)).toEqual(["abcd", "ef"]);
  expect(rowsIn("日本語x", 4)).toEqual(["日本", "語x"]);
  expect(rowsIn("", 4)).toEqual([""]);
  const rows = Array.from({ length: 30 }, (_, at) => `row ${at}`);
  const { rows: left, hidden } = folded(rows, 10);
  expect([left.length, left[0], left.at(-1), hidden]).toEqual([10, "row 0", "row 29", 21]);
  expect(folded(rows.slice(0, 10), 10).hidden).toBe(0);
});

test("what is unseen is written out, and what is seen is left", () => {
  expect(withUnseenShown("rm -rf café 日本 \t\r\n\u00AD\u2066\u{E0041}\uFEFF\u3000")).toBe(
    "rm -rf café 日本 \\t\\r\\u{A}\\u{AD}\\u{2066}\\u{E0041}\\u{FEFF}\\u{3000}",
  );
});

test("every field of a call is shown", () => {
  expect(callLines({ command: "a\nb", timeout: 5 }, "/p")).toEqual(["a", "b", "timeout: 5"]);
  expect(callLines({ file_path: "/p/x", old_string: "1\n2", new_string: "3", replace_all: true }, "/p")).toEqual([
    ...["x", "- 1", "- 2", "+ 3", "replace_all: true"],
  ]);
  expect(callLines({ sql: "select\n1", on: { a: 1 } }, "/p")).toEqual([
    ...["sql: select", "  1", "on: {", '    "a": 1', "  }"],
  ]);
});
