/** What exit code 1 says of programs for which it is an answer, not a failure. */
const meaningOfOne: Readonly<Record<string, string>> = {
  grep: "No matches found",
  egrep: "No matches found",
  fgrep: "No matches found",
  rg: "No matches found",
  "git grep": "No matches found",
  find: "Some directories were inaccessible",
  diff: "Files differ",
  "git diff": "Files differ",
  test: "Condition is false",
  "[": "Condition is false",
};

/** Says what an exit code means when it is no failure, such as 1 of `grep`. Undefined for a failure, and for 0. */
export function exitMeaning(command: string, exitCode: number, stderr: string): string | undefined {
  if (exitCode !== 1) return undefined;
  const { last, isAfterAnd } = lastCommand(command);
  // In `cd x && grep y` the 1 may be of either; a program that only answers "no" is silent.
  if (isAfterAnd && stderr !== "") return undefined;
  const [program = "", subcommand = ""] = last.split(/\s+/).filter((word) => !/^\w+=/.test(word));
  return meaningOfOne[program === "git" ? `git ${subcommand}` : program];
}

/** Quoted text, an escaped character, a redirection that holds `&`, or one of the marks between commands. */
const TOKEN = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[<>]&|&>|(&&|\|\||\|&?|;|&|\n)/gs;

/** The last simple command of a line, found by the marks between commands that stand outside quotes. */
function lastCommand(command: string): { last: string; isAfterAnd: boolean } {
  const line = command.trim();
  let start = 0;
  let isAfterAnd = false;
  for (const match of line.matchAll(TOKEN)) {
    const [mark, separator] = match;
    if (separator === undefined) continue;
    start = match.index + mark.length;
    isAfterAnd = separator === "&&" || (isAfterAnd && separator.startsWith("|") && separator !== "||");
  }
  return { last: line.slice(start).trim(), isAfterAnd };
}
