import { rulesInMode } from "./auto-rules.ts";
import { coverOf } from "./command-rules.ts";
import { commandText } from "./command-text.ts";
import type { PermissionContext } from "./context.ts";
import { judgedAnalysis } from "./free.ts";

/** One command of a command line, as it is written there. */
export type CommandPart = { text: string; isAskedAbout: boolean };

/** More than a person reads; the rest is told as one part. */
const MAX_PARTS = 50;

/** The commands of a line in their order; undefined when what it runs cannot be told from its text. */
export async function commandParts(line: string, context: PermissionContext): Promise<CommandPart[] | undefined> {
  const commands = judgedAnalysis(line)?.commands;
  if (commands === undefined) return undefined;
  const rules = rulesInMode(context).allow;
  const parts: CommandPart[] = [];
  for (const command of commands.slice(0, MAX_PARTS)) {
    const redirections = command.redirections.filter(({ type }) => type !== "text");
    const files = redirections.map(({ type, word }) => ` ${type === "input" ? "<" : ">"} ${word.source}`);
    const text = `${commandText(command)}${files.join("")}`.trimStart();
    parts.push({ text, isAskedAbout: (await coverOf(command, rules, context)) === undefined });
  }
  const more = commands.length - parts.length;
  return more > 0 ? [...parts, { text: `… and ${more} more commands`, isAskedAbout: true }] : parts;
}
