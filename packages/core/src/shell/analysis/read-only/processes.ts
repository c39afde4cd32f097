import { isKnown, type ShellWord } from "../shell-word.ts";

const plain = /^(?:-[a-zA-DF-Z0-9]+|[a-df-zA-DF-Z0-9]+)$/;
/** Letters that `ps` surely reads as options of the dashed kind: one that it does not know makes all of them the other kind. */
const dashed = /^-[AadefFHjlLTw]+[opC]?$/;
const long = /^--(?:sort=[-+%\w,]+|no-headers?|forest|ppid=\d+|pid=[\d,]+)$/;

/** Columns that show nothing of a process's environment. */
const columns =
  /^(?:pid|ppid|pgid|pgrp|sid|sess|uid|user|ruser|euser|gid|group|comm|ucmd|cmd|args|command|s|stat|state|%cpu|pcpu|c|%mem|pmem|rss|rssize|vsz|vsize|sz|time|cputime|etime|etimes|start|stime|lstart|start_time|bsdstart|tty|tt|tname|nice|ni|pri|psr|cls|wchan|nlwp|thcount|tid|lwp|unit|cgroup)(?::\d+)?=?$/;
const areColumns = (list: string): boolean => list.split(",").every((column) => columns.test(column));

/**
 * Whether `ps` only lists. `e` without a dash, and `-E` elsewhere than on Linux, show the environment of every process, our
 * keys among it; so does `-e` beside a letter that has a meaning only without a dash.
 */
export function listsProcesses(args: readonly ShellWord[]): boolean {
  if (!args.every(isKnown)) return false;
  const options = withoutValues(args.map(({ value }) => value));
  if (options === undefined || !options.every((value) => plain.test(value) || long.test(value))) return false;
  const clusters = options.filter((value) => /^-[^-]/.test(value));
  return !clusters.some((value) => value.includes("e")) || clusters.every((value) => dashed.test(value));
}

/** Takes away the values of `-o`, `-p` and `-C`; undefined when one of them asks for more than is known to be harmless. */
function withoutValues(args: readonly string[]): string[] | undefined {
  const options: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const option = args[at] ?? "";
    options.push(option);
    const letter = /^-[AadefFHjlLTw]*([opC])$/.exec(option)?.[1];
    if (letter === undefined) continue;
    const value = args[++at] ?? "";
    if (letter === "o" ? !areColumns(value) : !/^[\w,.-]+$/.test(value)) return undefined;
  }
  return options;
}
