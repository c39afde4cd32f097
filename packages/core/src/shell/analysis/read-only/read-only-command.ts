import { analyzeCommand } from "../analyze-command.ts";
import { movesShell } from "../directories.ts";
import { programOf, type SimpleCommand, withStarted } from "../simple-command.ts";
import { isDiscarded } from "./discarded.ts";
import { readsOnly } from "./verdict.ts";

/** A longer command is never taken for harmless. Characters. */
export const MAX_JUDGED_CHARS = 10_000;

/**
 * Whether a command line surely changes nothing, neither files nor the shell's directory, so that it may run beside
 * others. What it reads is not looked at. Never throws; the first call loads the grammar.
 */
export function isReadOnlyCommand(command: string): boolean {
  if (command.length > MAX_JUDGED_CHARS) return false;
  const { commands, doubts } = analyzeCommand(command);
  if (doubts.length > 0) return false;
  return withStarted(commands).every(
    (each) => readsOnly(each) !== undefined && writesNothing(each) && !movesShell(programOf(each)),
  );
}

/** Whether its redirections write to nothing but `/dev/null`. */
export const writesNothing = ({ redirections }: SimpleCommand): boolean =>
  redirections.every(({ type, word }) => type !== "output" || isDiscarded(word.value));
