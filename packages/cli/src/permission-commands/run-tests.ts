import { readFile, stat } from "node:fs/promises";
import { permissionJudge, type RuleTestReport, testPermissions } from "@pawl/core";
import type { CommandIo } from "../program-command.ts";
import { systemCode } from "../system-code.ts";
import { safeText, withUnseenShown } from "../terminal/shown-text.ts";
import { UsageError } from "../usage-error.ts";
import { readArguments } from "./arguments.ts";
import { explanationText } from "./explanation-text.ts";

const USAGE = "pawl permissions test [--json] FILE";
const MAX_FILE_BYTES = 10 * 1024 * 1024;

/** Runs a file of rule tests. Exit 0: all as expected, 1: some are not. */
export async function runTests(args: readonly string[], io: CommandIo): Promise<number> {
  const { words, isJson, options } = readArguments(args, USAGE, 1);
  const [name = ""] = words;
  const text = await readText(name);
  const judge = await permissionJudge(options);
  const report = await testPermissions(judge, { name, text });
  for (const notice of judge.notices) await io.stderr.write(`pawl: ${safeText(notice)}\n`);
  await io.stdout.write(isJson ? `${JSON.stringify(report, null, 2)}\n` : reportText(report));
  return report.failed === 0 ? 0 : 1;
}

async function readText(name: string): Promise<string> {
  try {
    const stats = await stat(name);
    if (!stats.isFile()) throw new UsageError(`${name} is not a file`);
    if (stats.size > MAX_FILE_BYTES) throw new UsageError(`${name} has more than ${MAX_FILE_BYTES} bytes`);
    return await readFile(name, "utf8");
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (systemCode(error) === "ENOENT") throw new UsageError(`there is no file ${name}`, { cause: error });
    throw new UsageError(`${name} cannot be read: ${error instanceof Error ? error.message : error}`, { cause: error });
  }
}

function reportText({ passed, failed, results }: RuleTestReport): string {
  const failures = results.flatMap((result) => {
    if (result.isPassed) return [];
    const title = withUnseenShown(`FAIL ${result.name}: expected ${result.expect}`);
    return "fault" in result
      ? [`${title}, but the call cannot be judged: ${withUnseenShown(result.fault)}\n`]
      : [`${title}, got\n${explanationText(result.explanation)}`];
  });
  return `${failures.join("")}${passed} passed, ${failed} failed\n`;
}
