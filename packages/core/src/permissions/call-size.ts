import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { type CommandAnalysis, type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import type { PermissionRequest } from "./context.ts";
import type { Rule } from "./rule.ts";

/**
 * A call is compared with the rules of one list for so much work: its size times that of the rules. Beyond it a deny rule
 * denies, since nobody can tell that it does not hit; an ask rule asks; an allow rule allows nothing. Far more than people
 * have: a command of a thousand words and 150 rules.
 */
const MAX_COMPARED = 400_000;

/** Characters of a path or text that are as much work as one word of a command. */
const CHARS_PER_UNIT = 10;
/** Of a rule that are as much work as a rule itself. */
const RULE_CHARS_PER_UNIT = 20;
/** A command is more work than its words. */
const UNITS_PER_COMMAND = 3;

/** How much there is to compare with each rule: words of commands, in each folder that they may run in, and long texts. */
export function sizeOf({ touches }: PermissionRequest): number {
  return touches.reduce((total, touch) => total + sizeOfTouch(touch), 1);
}

function sizeOfTouch(touch: PermissionRequest["touches"][number]): number {
  switch (touch.type) {
    case "command":
      return sizeOfCommands(analyzeCommand(touch.command)) + touch.command.length / CHARS_PER_UNIT;
    case "read":
    case "write":
      return 1 + touch.path.length / CHARS_PER_UNIT;
    case "url":
      return 1 + touch.url.length / CHARS_PER_UNIT;
    default:
      return 1;
  }
}

export const sizeOfCommands = ({ commands }: CommandAnalysis): number =>
  withStarted(commands).reduce((total, each) => total + wordsOf(each), 1);

function wordsOf({ words, assignments, redirections, directories }: SimpleCommand): number {
  const chars = words.reduce((total, { value }) => total + value.length, 0);
  const count = UNITS_PER_COMMAND + words.length + assignments.length + redirections.length + chars / CHARS_PER_UNIT;
  return count * Math.max(1, directories.length);
}

/** How many rules from the first on are compared with a call of that size; always one. */
export function countCompared(rules: readonly Rule[], size: number): number {
  let work = 0;
  const beyond = rules.findIndex((rule) => {
    if (work > MAX_COMPARED) return true;
    work += size * (1 + (rule.spec ?? "").length / RULE_CHARS_PER_UNIT);
    return false;
  });
  return beyond === -1 ? rules.length : beyond;
}
