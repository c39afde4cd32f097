import { isKnown, type ShellWord } from "../shell-word.ts";

const plain = /^(?:-[a-zA-DF-Z0-9]+|[a-df-zA-DF-Z0-9]+)$/;
/** Letters that `ps` surely reads as options of the dashed kind: one that it does not know makes all of them the other kind. */
const dashed = /^-[AadefFHjlLTw]+[opC]?$/;

/**
 * Whether `ps` only lists. `e` without a dash, and `-E` elsewhere than on Linux, show the environment of every process, our
 * keys among it; so does `-e` beside a letter that has a meaning only without a dash.
 */
export function listsProcesses(args: readonly ShellWord[]): boolean {
  if (!args.every((word) => isKnown(word) && plain.test(word.value))) return false;
  const options = args.map(({ value }) => value).filter((value) => value.startsWith("-"));
  return !options.some((value) => value.includes("e")) || options.every((value) => dashed.test(value));
}
