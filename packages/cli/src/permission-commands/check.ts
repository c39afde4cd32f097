import { type CheckAnswer, checkPermission } from "@pawl/core";
import type { CommandIo } from "../program-command.ts";
import { readLines, TOO_LONG } from "../stream-json/lines.ts";
import { UsageError } from "../usage-error.ts";

/** A call with its rules is far shorter; a longer line is answered unread. Bytes. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** Answers each line of standard input with one line on standard output, in their order, whatever it holds. */
export async function check(args: readonly string[], { stdin, stdout }: CommandIo): Promise<number> {
  if (args.length !== 1 || args[0] !== "--batch") {
    throw new UsageError("usage: pawl permissions check --batch, with one JSON object a line on standard input");
  }
  let number = 0;
  for await (const line of readLines(bytesOf(stdin), MAX_LINE_BYTES)) {
    number++;
    await stdout.write(`${JSON.stringify(await answer(line, number))}\n`);
    if (stdout.isBroken) break; // nobody reads any more
  }
  return 0;
}

async function* bytesOf(stdin: CommandIo["stdin"]): AsyncGenerator<Uint8Array> {
  for await (const chunk of stdin) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

async function answer(line: Uint8Array | typeof TOO_LONG, number: number): Promise<CheckAnswer | Unreadable> {
  if (line === TOO_LONG) return unreadable(number, "too_long", `it has more than ${MAX_LINE_BYTES} bytes`);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line));
  } catch (error) {
    return unreadable(number, "invalid_json", error instanceof Error ? error.message : String(error));
  }
  return checkPermission(value);
}

type Unreadable = { decision: "deny"; reason: string; error: "too_long" | "invalid_json" };

const unreadable = (number: number, error: Unreadable["error"], why: string): Unreadable => ({
  decision: "deny",
  reason: `line ${number} cannot be read: ${why}`,
  error,
});
