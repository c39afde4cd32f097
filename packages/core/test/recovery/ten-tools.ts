import { type Said, text, use } from "./answers.ts";
import { type Body, bodyOf } from "./wire.ts";

/**
 * A session of ten tools whose place is read off the request alone: every step's input carries its mark, `step-N`, and every
 * result or summary that tells of it does too.
 */
const calls: readonly (readonly [tool: string, input: object])[] = [
  ["Read", { file_path: "step-1.txt" }],
  ["Glob", { pattern: "step-2*" }],
  ["Grep", { pattern: "step-3", path: "." }],
  ["Write", { file_path: "step-4.txt", content: "four" }],
  ["Edit", { file_path: "step-1.txt", old_string: "alpha", new_string: "beta step-5" }],
  ["Bash", { command: "echo step-6 >> effects.txt" }],
  ["TodoWrite", { todos: [{ content: "step-7", status: "pending", activeForm: "seven" }] }],
  ["Read", { file_path: "step-8.txt" }],
  ["Bash", { command: "echo step-9 >> effects.txt" }],
  ["Write", { file_path: "step-10.txt", content: "ten" }],
];

export const STEPS = calls.length;
export const FILES = { "step-1.txt": "alpha\n", "step-8.txt": "eight\n" };
/** The ten calls and the last word. */
export const UNITS = STEPS + 1;

/** The last step that a conversation has made, 0 before the first. */
export function lastStep({ messages }: Pick<Body, "messages">): number {
  const marks = JSON.stringify(messages).matchAll(/step-(\d+)/g);
  return Math.max(0, ...[...marks].map((mark) => Number(mark[1])));
}

let ids = 0;

/** What the model of this session says to a request. */
export function answerTo(request: { body: string }): Said {
  const body = bodyOf(request);
  const done = lastStep(body);
  if (isCompaction(body)) return { ...text(`The user said go. Done so far: step-${done}.`), usage: usageOf(done) };
  const next = calls[done];
  if (next === undefined) return { ...text("All ten are done."), usage: usageOf(done) };
  ids += 1;
  return { blocks: [{ type: "text", text: "Next." }, use(`toolu_${ids}`, ...next)], usage: usageOf(done) };
}

/** Different for each step, so that a sum that lacks one is wrong. */
const usageOf = (step: number) => ({ input: 1_000 + 17 * step, output: 40 + step });

/** Asks for a summary of the conversation, without tools. */
export const isCompaction = ({ tools = [] }: Pick<Body, "tools">): boolean => tools.length === 0;
