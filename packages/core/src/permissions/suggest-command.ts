import { interpreters, isHarmlessAssignment, shells } from "../shell/analysis/meaning.ts";
import { isKnown, isOption, type ShellWord } from "../shell/analysis/shell-word.ts";
import { argumentsOf, programOf, type SimpleCommand, withStarted } from "../shell/analysis/simple-command.ts";
import { rulesInMode } from "./auto-rules.ts";
import { coverOf } from "./command-rules.ts";
import type { PermissionContext } from "./context.ts";
import { judgedAnalysis } from "./free.ts";
import type { PermissionUpdate } from "./update.ts";

/** A longer rule would be agreed to unread. Characters. */
const MAX_RULE_CHARS = 300;

/** Rules that one answer saves. */
const MAX_SUGGESTED_RULES = 5;

/** First a rule for each command that needs one, then one for the whole line, exactly as it is written. */
export async function suggestForCommand(
  line: string,
  context: PermissionContext,
): Promise<readonly (readonly PermissionUpdate[])[]> {
  const each = await rulesForCommands(line, context);
  const whole = wholeLine(line);
  return [each, whole === undefined ? [] : [whole]].map(asUpdates);
}

function asUpdates(patterns: readonly string[]): PermissionUpdate[] {
  if (patterns.length === 0) return [];
  const rules = patterns.map((ruleContent) => ({ toolName: "Bash", ruleContent }));
  return [{ type: "addRules", rules, behavior: "allow", destination: "localSettings" }];
}

async function rulesForCommands(line: string, context: PermissionContext): Promise<string[]> {
  const patterns = new Set<string>();
  const rules = rulesInMode(context).allow;
  for (const command of judgedAnalysis(line)?.commands ?? []) {
    if ((await coverOf(command, rules, context)) !== undefined) continue;
    const pattern = patternFor(command);
    if (pattern === undefined) return [];
    patterns.add(pattern);
  }
  return patterns.size > MAX_SUGGESTED_RULES ? [] : [...patterns];
}

/** Only what can be saved word for word: a `*` would stand for anything, a second line is more than a person reads. */
function wholeLine(line: string): string | undefined {
  const written = line.trim();
  const isPlain = written.length <= MAX_RULE_CHARS && !/[*\n\r]/.test(written);
  const commands = judgedAnalysis(line)?.commands;
  // Alone in its line a command would be covered in every other line too.
  const isSimple = commands?.length === 1 && textOf(commands[0]) === written;
  return isPlain && !isSimple ? written : undefined;
}

const textOf = (command: SimpleCommand | undefined) => command?.words.map(({ source }) => source).join(" ");

/** The rule for one command wherever it stands; undefined when it would say less than what was agreed to. */
function patternFor(command: SimpleCommand): string | undefined {
  if (command.wrapper === "transparent" && command.starts.length === 1 && command.starts[0] !== undefined) {
    return command.assignments.every(isHarmlessAssignment) ? patternFor(command.starts[0]) : undefined;
  }
  const all = withStarted([command]);
  if (all.some((each) => each.redirections.length > 0 || each.input !== "none" || runsItsInput(each))) return undefined;
  if (!command.words.every(saysWhatItIs) || !command.assignments.every(({ value }) => saysWhatItIs(value)))
    return undefined;
  const text = textOf(command) ?? "";
  const foreign = command.assignments.some((each) => !isHarmlessAssignment(each));
  const before = foreign ? command.assignments.map(({ name, value }) => `${name}=${value.source} `).join("") : "";
  if (text === "" || text.length > MAX_RULE_CHARS || /[*\n\r]/.test(before + text)) return undefined;
  return before === "" ? (prefixOf(command) ?? text) : before + text;
}

/** Not so a word with a variable: the rule would be the same whatever that holds. */
function saysWhatItIs(word: ShellWord): boolean {
  const { source } = word;
  const unquoted = source.includes('"') ? source : source.replace(/'[^']*'|\\./g, "");
  return isKnown(word) && !/[$`]/.test(unquoted);
}

/** Subcommands none of whose options starts a program or writes where it is told to. */
const harmlessSubcommands: ReadonlySet<string> = new Set([
  ...["git add", "git commit", "docker ps", "docker images", "docker logs"],
  ...["gh pr view", "gh pr list", "gh pr diff", "gh pr checks"],
  ...["gh issue view", "gh issue list", "gh run view", "gh run list"],
]);

function prefixOf({ words }: SimpleCommand): string | undefined {
  const values = words.map(({ value }) => value);
  for (const length of [3, 2]) {
    const start = values.slice(0, length).join(" ");
    if (harmlessSubcommands.has(start)) return `${start} *`;
  }
  return undefined;
}

/** Programs that run what they read when they are not told otherwise: agreed to once alone, they would run whatever is piped in. */
const inputRunners: ReadonlySet<string> = new Set([
  ...[...shells, ...interpreters, "ssh", "psql", "mysql", "mariadb", "sqlite3", "redis-cli", "mongosh", "at", "batch"],
  ...["crontab", "gdb", "lldb", "ed", "ex", "vi", "vim", "nc", "ncat", "socat", "patch", "xargs", "parallel"],
  ...["docker", "podman", "kubectl", "irb", "ghci", "ocaml", "R", "julia", "scala", "jshell", "bc", "m4", "awk", "sed"],
]);

function runsItsInput(command: SimpleCommand): boolean {
  const args = argumentsOf(command);
  if (args.some(({ value }) => value === "-" || /\/(?:dev\/stdin|fd\/0)$/.test(value))) return true;
  const program = programOf(command).replace(/[\d.]+$/, "");
  if (!inputRunners.has(program)) return false;
  const isTold = args.some(({ value }) => /^(?:-[a-z]*[is][a-z]*|--stdin|--interactive)$/.test(value));
  const needed = ["ssh", "docker", "podman", "kubectl"].includes(program) ? 2 : 1;
  return isTold || args.filter((word) => !isOption(word)).length < needed;
}
