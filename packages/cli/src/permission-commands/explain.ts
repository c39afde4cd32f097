import { callInput, permissionJudge } from "@pawl/core";
import type { CommandIo } from "../program-command.ts";
import { safeText } from "../terminal/shown-text.ts";
import { UsageError } from "../usage-error.ts";
import { readArguments } from "./arguments.ts";
import { explanationText } from "./explanation-text.ts";

const USAGE = "pawl permissions explain [--json] TOOL INPUT";

/** Tells how a session with the same flags, here, would decide about one call. */
export async function explain(args: readonly string[], io: CommandIo): Promise<number> {
  const { words, isJson, options } = readArguments(args, USAGE, 2);
  const [tool = "", written = ""] = words;
  const input = callInput(tool, readInput(tool, written));
  if (input === undefined) {
    const named = `${tool.slice(0, 1).toUpperCase()}${tool.slice(1)}`;
    const meant = named !== tool && callInput(named, "") !== undefined ? `; do you mean ${named}?` : "";
    throw new UsageError(
      `the input of ${tool} must be a JSON object, such as '{"key": "value"}'${meant}; usage: ${USAGE}`,
    );
  }
  const judge = await permissionJudge(options);
  const explanation = await judge.explain(tool, input);
  if ("fault" in explanation) throw new UsageError(explanation.fault);
  for (const notice of judge.notices) await io.stderr.write(`pawl: ${safeText(notice)}\n`);
  await io.stdout.write(isJson ? `${JSON.stringify(explanation, null, 2)}\n` : explanationText(explanation));
  return 0;
}

/** A command may begin like JSON: `{ ls; }`. */
function readInput(tool: string, written: string): unknown {
  if (!written.trimStart().startsWith("{")) return written;
  try {
    return JSON.parse(written);
  } catch (error) {
    if (callInput(tool, "") !== undefined) return written;
    throw new UsageError(`the input is not JSON: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}
