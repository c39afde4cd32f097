import { argumentsOf, programOf, type SimpleCommand } from "../shell/analysis/simple-command.ts";

/** Whether a program reads files that nobody named to it: whole folders, or what a repository holds. */
export function readsUnnamed(command: SimpleCommand): boolean {
  const args = argumentsOf(command).map(({ value }) => value);
  switch (programOf(command)) {
    case "rg":
    case "fd":
    case "fdfind":
      return true;
    case "grep":
    case "diff":
      return args.some((value) => /^-[^-]*[rRd]|^--[rd]/.test(value));
    case "git":
      return showsContents(args);
    default:
      return false;
  }
}

/** Options of git with which nothing of the files' contents is shown, and those that show a summary in its place. */
const plain =
  /^(?:--(?:oneline|graph|all|cached|staged|no-merges|merges|reverse|abbrev-commit|decorate|follow|no-color|first-parent|branches|tags|remotes)|--(?:author|committer|since|until|after|before|grep|format|pretty|date|max-count|skip|decorate|color)=.*|-\d+|-n\d*|-i|--)$/s;
const summary = /^(?:--(?:stat|numstat|shortstat|name-only|name-status|no-patch)|--stat=.*|-s)$/;

function showsContents([command = "", ...args]: readonly string[]): boolean {
  const options = args.filter((value) => value.startsWith("-"));
  const isPlain = options.every((value) => plain.test(value) || summary.test(value));
  switch (command) {
    case "log":
      return !isPlain;
    case "diff":
    case "show":
      return !isPlain || !options.some((value) => summary.test(value)) || args.some((value) => value.includes(":"));
    case "stash":
      return args[0] === "show" && options.length > 0;
    default:
      return /^(?:--no-pager|-P|-C|grep|blame|annotate|cat-file|range-diff|diff-.*)$/.test(command);
  }
}
