import type { CommandAnalysis } from "./simple-command.ts";
import { walkText } from "./walk.ts";

/** Of so many command lines the analysis is kept: one call is looked at several times. */
const MAX_KEPT = 32;

const kept = new Map<string, CommandAnalysis>();

/**
 * What a command line may do: every simple command that some part of it may run, wrappers, substitutions, inner scripts,
 * loops and functions unfolded. Nothing is run or looked up.
 */
export function analyzeCommand(command: string): CommandAnalysis {
  const known = kept.get(command);
  if (known !== undefined) return known;
  const analysis = walked(command);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(command, analysis);
  return analysis;
}

/**
 * The same as if every assignment in it were made and the plainest substitutions known: `X=/; rm -r $X` removes `/`. That
 * shows dangers; what is safe only on these terms is not safe.
 */
export const analyzeAssuming = (command: string): CommandAnalysis => walked(command, { isAssuming: true });

/** Thousands of brackets in each other are more than the stack can follow: what the command does, nobody can tell. */
function walked(command: string, how: Parameters<typeof walkText>[1] = {}): CommandAnalysis {
  try {
    return walkText(command, how);
  } catch (error) {
    if (error instanceof RangeError) return { commands: [], doubts: ["its parts lie too deep in each other"] };
    throw error;
  }
}
