import { isKnown, isOption, mayBecomeOption, type ShellWord } from "../shell/analysis/shell-word.ts";

export type Presence = "yes" | "no" | "maybe";

/** Options that mean the same to most programs. */
const synonyms: readonly (readonly string[])[] = [
  ["r", "R", "recursive"],
  ["f", "force"],
  ["v", "verbose"],
  ["q", "quiet", "silent"],
  ["n", "dry-run"],
  ["a", "all"],
  ["i", "interactive"],
  ["y", "yes", "assume-yes"],
  ["g", "global"],
  ["d", "delete"],
];

/** Whether the options of a command are all there, in whatever order, clustered, abbreviated or written out. */
export function hasOptions(args: readonly ShellWord[], wanted: readonly string[]): Presence {
  if (wanted.length === 0) return "yes";
  const end = args.findIndex((word) => word.value === "--" && isKnown(word));
  const words = end === -1 ? args : args.slice(0, end);
  const options = words.filter(isOption).map(({ value }) => value);
  if (wanted.every((option) => isPresent(option, options))) return "yes";
  return words.some((word) => mayBecomeOption(word) || (isOption(word) && !isKnown(word))) ? "maybe" : "no";
}

function isPresent(wanted: string, options: readonly string[]): boolean {
  if (options.includes(wanted)) return true;
  if (wanted.startsWith("--"))
    return hasLong(wanted.slice(2), options) || shortFor(wanted.slice(2)).some((letter) => hasShort(letter, options));
  return Array.from(wanted.slice(1)).every(
    (letter) => hasShort(letter, options) || longFor(letter).some((name) => hasLong(name, options)),
  );
}

/** Programs take a long option by its beginning. */
const hasLong = (name: string, options: readonly string[]): boolean =>
  options.some((option) => {
    const given = option.startsWith("--") ? option.slice(2) : "";
    return given !== "" && (name.startsWith(given) || given.split("=")[0] === name);
  });

function hasShort(letter: string, options: readonly string[]): boolean {
  const same = synonyms.find((group) => group.includes(letter)) ?? [letter];
  return options.some(
    (option) => !option.startsWith("--") && same.some((each) => each.length === 1 && option.includes(each)),
  );
}

const groupOf = (name: string) => synonyms.find((group) => group.includes(name)) ?? [];
const shortFor = (name: string) => groupOf(name.split("=")[0] ?? "").filter((each) => each.length === 1);
const longFor = (letter: string) => groupOf(letter).filter((each) => each.length > 1);

/** Options before the subcommand that take a value. */
const globalOptions: ReadonlyMap<string, RegExp> = new Map([
  ["git", /^(?:-C|-c|--git-dir|--work-tree|--namespace|--config-env|--exec-path|--super-prefix)$/],
  ["npm", /^(?:--prefix|-w|--workspace|--registry|--loglevel|--userconfig)$/],
  ["pnpm", /^(?:-C|--dir|-F|--filter)$/],
  ["yarn", /^--cwd$/],
  ["docker", /^(?:-H|--host|-c|--context|--config|-l|--log-level)$/],
  ["kubectl", /^(?:-n|--namespace|--context|--cluster|--kubeconfig|--user|-s|--server)$/],
  ["cargo", /^(?:--config|-C|-Z|--color)$/],
]);

/**
 * The words that are no options. Which of them are values of options is known of some programs; of the others both
 * readings are given.
 */
export function operandLists(program: string, args: readonly ShellWord[]): ShellWord[][] {
  const end = args.findIndex((word) => word.value === "--" && isKnown(word));
  const before = end === -1 ? args : args.slice(0, end);
  const after = end === -1 ? [] : args.slice(end + 1);
  const known = globalOptions.get(program);
  const isValue = (at: number, test: (option: ShellWord) => boolean) => {
    const option = before[at - 1];
    return option !== undefined && test(option);
  };
  const list = (test: (option: ShellWord) => boolean) => [
    ...before.filter((word, at) => !isOption(word) && !isValue(at, test)),
    ...after,
  ];
  if (known !== undefined) return [list(({ value }) => known.test(value))];
  return [list(() => false), list((word) => isOption(word) && !word.value.includes("="))];
}
