import type { KnownApiBlock, SdkMessage } from "@pawl/core";
import { expect, test } from "vitest";
import { EmulatedTerminal } from "./emulated-terminal.test-data.ts";
import { TerminalView } from "./terminal-view.ts";

const envelope = { uuid: "u", session_id: "s" };
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

const delta = (text: string): SdkMessage => ({
  ...envelope,
  type: "stream_event",
  event: { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  parent_tool_use_id: null,
});

function assistant(block: KnownApiBlock): SdkMessage {
  const answer = {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    stop_reason: null,
    stop_sequence: null,
  } as const;
  return { ...envelope, type: "assistant", message: { ...answer, content: [block], usage }, parent_tool_use_id: null };
}

function result(id: string, content: string, more: { is_error?: boolean; structured?: unknown } = {}): SdkMessage {
  const { structured, ...flags } = more;
  const block = { type: "tool_result" as const, tool_use_id: id, content, ...flags };
  const message = { role: "user" as const, content: [block] };
  return { ...envelope, type: "user", message, parent_tool_use_id: null, tool_use_result: structured };
}

const toolUse = (id: string, name: string, input: Record<string, unknown>) =>
  assistant({ type: "tool_use", id, name, input });

async function shown(messages: readonly SdkMessage[], options: { isVerbose?: boolean } = {}): Promise<string> {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const view = new TerminalView({ write, columns: 40 }, { cwd: "/repo", ...options });
  for (const message of messages) await view.show(message);
  await view.close();
  return text;
}

test("streamed text stands once, calls and their results below it", async () => {
  const text = await shown([
    delta("Look"),
    delta("ing."),
    assistant({ type: "text", text: "Looking." }),
    toolUse("1", "Bash", { command: "npm test" }),
    result("1", "ok"),
    assistant({ type: "text", text: "Not streamed." }),
  ]);

  expect(text).toBe("Looking.\n\n● Bash(npm test)\n  ⎿ ok\n\nNot streamed.\n");
});

test("results of several calls say whose they are", async () => {
  const text = await shown([
    toolUse("1", "Read", { file_path: "/repo/src/a.ts" }),
    toolUse("2", "Read", { file_path: "/elsewhere/b.ts" }),
    result("1", "…", { structured: { type: "text", file: { numLines: 1 } } }),
    result("2", "…", { structured: { type: "text", file: { numLines: 7 } } }),
  ]);

  expect(text).toBe(
    "● Read(src/a.ts)\n● Read(/elsewhere/b.ts)\n  ⎿ Read(src/a.ts): 1 line\n  ⎿ Read(/elsewhere/b.ts): 7 lines\n",
  );
});

test("a long result shows its beginning and its end, all of it when verbose", async () => {
  const lines = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`);
  const messages = [toolUse("1", "Bash", { command: "x" }), result("1", lines.join("\n"))];

  expect(await shown(messages)).toBe(
    "● Bash(x)\n  ⎿ line 1\n    line 2\n    line 3\n    … 14 more lines\n    line 18\n    line 19\n    line 20\n",
  );
  expect((await shown(messages, { isVerbose: true })).match(/line \d+/g)).toEqual(lines);
});

test("to-dos and changed lines are shown as what they are", async () => {
  const newTodos = [
    { content: "First", status: "completed", activeForm: "" },
    { content: "Second", status: "in_progress", activeForm: "" },
    { content: "Third", status: "pending", activeForm: "" },
  ];
  const structuredPatch = [{ oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" a", "-b", "+c"] }];

  const text = await shown([
    toolUse("1", "TodoWrite", { todos: newTodos }),
    result("1", "Todos have been modified", { structured: { oldTodos: [], newTodos } }),
    toolUse("2", "Edit", { file_path: "/repo/a" }),
    result("2", "updated", { structured: { structuredPatch } }),
  ]);

  expect(text).toBe("● TodoWrite\n  ⎿ ✔ First\n    ▶ Second\n    □ Third\n● Edit(a)\n  ⎿  a\n    -b\n    +c\n");
});

test("a call and its output cannot move the cursor or break out of their lines: sequences are left out whole", async () => {
  const link = "\x1b]8;;http://a.example\x1b\\link\x1b]8;;\x07";
  const text = await shown([
    toolUse("1", "Bash", { command: "printf '\x1b[2J'\nrm\x07 x" }),
    result("1", `a\x1b[1;31mb\r\nc\x9b0m\n${link}\x1b(B\x1b7!\n\x1b]0;no end\n\x1bP1$r\x1b\\d\x1b[?25`),
  ]);

  expect(text).toBe("● Bash(printf '' rm x)\n  ⎿ ab\n    c\n    link!\n    \n    d\n");
});

test("a result takes a bounded number of rows, however long its lines are", async () => {
  const long = toolUse("2", "Bash", { command: "y".repeat(500) });

  const text = await shown([
    long,
    result("2", "z".repeat(10_000)),
    long,
    result("2", "é\n".repeat(9) + "é".repeat(900)),
  ]);

  const rows = text.split("\n").map((line) => Math.ceil(line.length / 40));
  expect(rows).toEqual([1, 3, 1, 1, 1, 1, 1, 1, 1, 2, 0]); // wide characters count double
});

test("a retried answer is told, and its text stands again", async () => {
  const reason = "Overloaded (HTTP 529)";
  const retry = { attempt: 1, max_retries: 9, retry_delay_ms: 500, error_status: 529, error: "overloaded" } as const;

  const text = await shown([
    delta("Half an ans"),
    { ...envelope, type: "system", subtype: "api_retry", ...retry, reason },
    delta("The whole."),
    assistant({ type: "text", text: "The whole." }),
  ]);

  expect(text).toBe("Half an ans\n! Overloaded (HTTP 529): trying again in 0.5 s (1 of 9)\nThe whole.\n");
});

const requesting: SdkMessage = { ...envelope, type: "system", subtype: "status", status: "requesting" };
const retry: SdkMessage = {
  ...{ ...envelope, type: "system", subtype: "api_retry", attempt: 1, max_retries: 9, retry_delay_ms: 500 },
  ...{ error_status: null, error: "unknown", reason: "cut" },
};
const informational = (level: "notice" | "warning", content: string): SdkMessage => ({
  ...envelope,
  type: "system",
  subtype: "informational",
  content,
  level,
});
const says = (text: string, more: { uuid?: string; supersedes?: string[] } = {}): SdkMessage => ({
  ...assistant({ type: "text", text }),
  ...more,
});

/** What a person sees in the end on a terminal of 40 columns, and what went to stderr. */
async function seen(messages: readonly SdkMessage[], rows = 24): Promise<{ rows: string[]; stderr: string }> {
  const terminal = new EmulatedTerminal(40, rows);
  let stderr = "";
  const write = (text: string) => {
    stderr += text;
  };
  const view = new TerminalView(terminal, { cwd: "/repo", stderr: { write } });
  for (const message of messages) await view.show(message);
  await view.close();
  return { rows: terminal.shown.map(plain), stderr };
}

const plain = (row: string): string => row.replace(/\x1b\[\d+m/g, "");

const discarded: readonly (readonly [name: string, frames: readonly SdkMessage[], rows: string[]])[] = [
  [
    "breaks off and is asked for again",
    [requesting, delta("Half an answer, "), delta("long enough for two rows"), retry, requesting, delta("Whole.")],
    ["! cut: trying again in 0.5 s (1 of 9)", "", "Whole.", ""],
  ],
  [
    "was cut at its limit and comes anew with more room",
    [
      ...[requesting, delta("The first"), says("The first", { uuid: "a" })],
      ...[requesting, delta("The whole."), says("The whole.", { uuid: "b", supersedes: ["a"] })],
    ],
    ["", "The whole.", ""],
  ],
  [
    "goes on in another model",
    [requesting, delta("Half"), informational("notice", "Other model"), requesting, delta("Whole.")],
    ["! Other model", "", "Whole.", ""],
  ],
];

test.each(discarded)("an answer that %s stands once", async (_name, frames, rows) => {
  const before = [toolUse("1", "Bash", { command: "x" }), result("1", "ok")];

  const { rows: shownRows } = await seen([requesting, ...before, ...frames]);

  expect(shownRows).toEqual(["● Bash(x)", "  ⎿ ok", ...rows]);
});

test("what a resumed answer goes on from is kept when the rest is tried again", async () => {
  const resume: SdkMessage = {
    ...{ ...envelope, type: "user", parent_tool_use_id: null, isSynthetic: true },
    message: { role: "user", content: [{ type: "text", text: "Go on." }] },
  };
  const first = [requesting, delta("The first, "), says("The first, ", { uuid: "a" }), resume];

  const { rows } = await seen([...first, requesting, delta("the se"), retry, requesting, delta("the second.")]);

  expect(rows).toEqual(["The first, ", "! cut: trying again in 0.5 s (1 of 9)", "the second.", ""]);
});

test("what has scrolled away cannot be taken back: it is said that the answer begins anew", async () => {
  const { rows } = await seen([requesting, delta("a\nb\nc\nd"), retry, requesting, delta("a\nb")], 3);

  expect(rows).toEqual([
    "a",
    "b",
    "c",
    "d",
    "! cut: trying again in 0.5 s (1 of 9); t",
    "he answer begins anew",
    "a",
    "b",
    "",
  ]);
});

test("a warning stands on stderr, in one line", async () => {
  const warning = informational("warning", "a\nb\x1b[2J");

  expect(await seen([warning, says("Hi.")])).toEqual({ rows: ["Hi.", ""], stderr: "pawl: a b\n" });
});

test("a call for the user stands on stderr, where a terminal rings and shows it", async () => {
  const call: SdkMessage = {
    ...{ ...envelope, type: "system", subtype: "notification", key: "1", priority: "high" },
    text: "Build\x07 done",
  };
  const asked = await seen([call, says("Hi.")]);
  expect(asked).toEqual({ rows: ["Hi.", ""], stderr: "pawl: you are called: Build done\n" });
  const ringing: string[] = [];
  const view = new TerminalView(new EmulatedTerminal(40, 24), {
    stderr: { isTTY: true, write: (text) => ringing.push(text) },
  });
  await view.show(call);
  await view.close();
  expect(ringing.at(-1)).toBe("\x07\x1b]9;you are called: Build done\x07");
});

test("an answer by a schema stands as JSON below what the model said", async () => {
  const end: SdkMessage = {
    ...{ ...envelope, type: "result", subtype: "success", is_error: false, terminal_reason: "completed" },
    ...{ duration_ms: 1_000, duration_api_ms: 900, num_turns: 1, stop_reason: "tool_use", total_cost_usd: null },
    ...{ usage, modelUsage: {}, permission_denials: [], result: "Four.", structured_output: { sum: 4 } },
  };

  const text = await shown([assistant({ type: "text", text: "Four." }), toolUse("1", "StructuredOutput", {}), end]);

  expect(text).toBe(
    'Four.\n\n● StructuredOutput\n\n{\n  "sum": 4\n}\n\n1 round · 10 tokens in, 5 out · cost unknown · 1.0 s\n',
  );
});
