import { isKnown, isOption, type ShellWord } from "./shell-word.ts";
import type { WorkingDirectory } from "./simple-command.ts";

export type Directories = readonly WorkingDirectory[];

/** Of more possible directories than this none is remembered. */
const MAX_DIRECTORIES = 8;

const movers: ReadonlySet<string> = new Set(["cd", "chdir", "pushd", "popd"]);

/** Whether a builtin changes the shell's directory. */
export const movesShell = (program: string): boolean => movers.has(program);

export function merged(first: Directories, second: Directories): Directories {
  const all = new Set([...first, ...second]);
  return all.has(undefined) || all.size > MAX_DIRECTORIES ? [undefined] : [...all];
}

/** Where the shell is after a successful `cd`. */
export function entered(program: string, args: readonly ShellWord[], from: Directories): Directories {
  const operands = args.filter((word, at) => !isOption(word) || args[at - 1]?.value === "--");
  const [target] = operands;
  const options = args.filter((word) => !operands.includes(word));
  const isPlain = options.every(({ value }) => /^(?:-[LP]+|--)$/.test(value)) && operands.length <= 1;
  if (program === "popd" || !isPlain) return [undefined];
  if (target === undefined) return program === "pushd" ? [undefined] : ["~"];
  if (!isKnown(target) || /^[-+]/.test(target.value) || target.value === "") return [undefined];
  return merged(
    from.map((directory) =>
      directory === undefined && isRelative(target.value) ? undefined : pathIn(directory ?? "", target.value),
    ),
    [],
  );
}

const isRelative = (path: string) => !path.startsWith("/") && !isHome(path);
const isHome = (path: string) => path === "~" || path.startsWith("~/");

/** A path as it is written, seen from where the command line starts. Nothing is resolved: a link may be on the way. */
export function pathIn(directory: string, path: string): string {
  return directory === "" || !isRelative(path) ? path : `${directory}/${path}`;
}
