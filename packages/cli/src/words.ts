import { flags } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

const valueNames = new Set(
  flags.flatMap(({ usage }) => (usage.includes("<") ? (usage.match(/--?\w[\w-]*/g) ?? []) : [])),
);

/**
 * Refuses words in several places: of `--allowedTools Read Bash -p "Fix it"` the second tool would be taken for a part of the
 * prompt, and neither be allowed nor missed.
 */
export function refuseScatteredWords(args: readonly string[]): void {
  const [first = [], second] = groupsOf(args);
  if (second === undefined) return;
  const [one, two] = [first, second].map((words) => JSON.stringify(words.join(" ")));
  throw new UsageError(
    `${one} and ${two} cannot both be the prompt: put the prompt into quotes, and several values of a flag too, as in --allowedTools "Read, Bash"`,
  );
}

/** The words that are neither flags nor their values, those that stand together in one group. */
function groupsOf(args: readonly string[]): string[][] {
  const groups: string[][] = [];
  let isTogether = false;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") return [...groups, args.slice(index + 1)].filter((words) => words.length > 0);
    const isFlag = arg.startsWith("-") && arg !== "-";
    if (isFlag && valueNames.has(arg)) index++;
    if (!isFlag && isTogether) groups.at(-1)?.push(arg);
    if (!isFlag && !isTogether) groups.push([arg]);
    isTogether = !isFlag;
  }
  return groups;
}
