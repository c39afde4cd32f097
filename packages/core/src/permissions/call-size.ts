import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import type { PermissionRequest } from "./context.ts";

/**
 * A call is compared with the rules of one list for so much work: its size times the rules. Of a deny or ask rule beyond
 * it nobody can tell whether it hits, and the user is asked; an allow rule beyond it allows nothing. Far more than people
 * have: a command of a hundred words and 500 rules.
 */
export const MAX_COMPARED = 100_000;

/** Characters of a path or text that are as much work as one word of a command. */
const CHARS_PER_UNIT = 10;

/** How much there is to compare with each rule: words of commands, in each folder that they may run in, and long texts. */
export function sizeOf({ touches }: PermissionRequest): number {
  return touches.reduce((total, touch) => total + sizeOfTouch(touch), 1);
}

function sizeOfTouch(touch: PermissionRequest["touches"][number]): number {
  switch (touch.type) {
    case "command":
      return withStarted(analyzeCommand(touch.command).commands).reduce((total, each) => total + wordsOf(each), 1);
    case "read":
    case "write":
      return 1 + touch.path.length / CHARS_PER_UNIT;
    case "url":
      return 1 + touch.url.length / CHARS_PER_UNIT;
    default:
      return 1;
  }
}

function wordsOf({ words, assignments, redirections, directories }: SimpleCommand): number {
  const chars = words.reduce((total, { value }) => total + value.length, 0);
  const count = words.length + assignments.length + redirections.length + chars / CHARS_PER_UNIT;
  return count * Math.max(1, directories.length);
}
