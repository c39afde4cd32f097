import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { isHarmlessAssignment } from "../shell/analysis/meaning.ts";
import { writesNothing } from "../shell/analysis/read-only/read-only-command.ts";
import { readsOnly } from "../shell/analysis/read-only/verdict.ts";
import { isOption, UNKNOWN } from "../shell/analysis/shell-word.ts";
import { argumentsOf, type CommandAnalysis, programOf, type SimpleCommand } from "../shell/analysis/simple-command.ts";
import { rulesInMode } from "./auto-rules.ts";
import { sizeOfCommands } from "./call-size.ts";
import { coverOf } from "./command-rules.ts";
import { commandText } from "./command-text.ts";
import type { PermissionContext } from "./context.ts";
import { firstHit, hitsCommand } from "./match.ts";
import { forOneDecision } from "./one-decision.ts";
import type { Rule } from "./rule.ts";
import { dangerIn } from "./safety.ts";

/** One simple command that some part of a command line may run, and what was thought of it. */
export type ExplainedCommand = {
  /** As it is written, without its redirections. */
  text: string;
  /** The text of the command that starts it: a wrapper, `sh -c`, `xargs`, `find -exec`. */
  startedBy?: string;
  /** Where it may run, as written and from where the line starts; null: only the running shell knows. */
  directories: (string | null)[];
  redirections: { type: "reads" | "writes" | "is fed"; target: string }[];
  judged: "allow" | "ask" | "deny";
  rule?: Rule;
  reason: string;
};

/** Longer texts are cut: they are for eyes. Characters. */
const MAX_SHOWN_CHARS = 2_000;

type Verdict = Pick<ExplainedCommand, "judged" | "rule" | "reason">;

/** Every command of a line with what it starts, in the order of the text, and why a part of it cannot be told. */
export async function explainCommand(
  line: string,
  context: PermissionContext,
): Promise<{ commands: ExplainedCommand[]; doubts: readonly string[] }> {
  const { commands, doubts } = analyzeCommand(line);
  const once = forOneDecision(context);
  const explained: ExplainedCommand[] = [];
  for (const command of commands) await explain(command, undefined, once, explained);
  return { commands: explained, doubts };
}

async function explain(
  command: SimpleCommand,
  parent: { text: string; verdict: Verdict } | undefined,
  context: PermissionContext,
  into: ExplainedCommand[],
): Promise<void> {
  const text = textOf(command);
  const verdict = await judge(command, parent?.verdict, context);
  into.push({
    text,
    ...(parent === undefined ? {} : { startedBy: parent.text }),
    directories: command.directories.map((directory) => directory ?? null),
    redirections: command.redirections.map(({ type, word }) => ({ type: verbs[type], target: shown(word.source) })),
    ...verdict,
  });
  for (const started of command.starts) await explain(started, { text, verdict }, context, into);
}

const verbs = { input: "reads", output: "writes", text: "is fed" } as const;

/** What the rules, the safety checks and the mode say of one command alone. */
async function judge(
  command: SimpleCommand,
  parent: Verdict | undefined,
  context: PermissionContext,
): Promise<Verdict> {
  const alone: CommandAnalysis = { commands: [{ ...command, starts: [] }], doubts: [] };
  const text = textOf(command);
  const hits = (rule: Rule) => hitsCommand(rule, text, alone, context);
  const size = sizeOfCommands(alone);
  const denying = await firstHit(context.rules.deny, hits, size);
  if (denying.surely !== undefined) return { judged: "deny", rule: denying.surely, reason: "A rule denies it." };
  if (denying.uncompared !== undefined) {
    return { judged: "deny", rule: denying.uncompared, reason: "It is too large to be compared with this rule." };
  }
  const asking = await firstHit(context.rules.ask, hits, size);
  if (asking.surely !== undefined) return { judged: "ask", rule: asking.surely, reason: "A rule asks about it." };
  const open = denying.maybe ?? asking.maybe ?? asking.uncompared;
  if (open !== undefined) {
    return { judged: "ask", rule: open, reason: "A rule may be about it: only the running command will show." };
  }
  const danger = await dangerIn(alone, context);
  if (danger !== undefined) return { judged: "ask", reason: danger.reason };
  if (parent?.judged === "allow") return { ...parent, reason: `It is covered with what starts it. ${parent.reason}` };
  const cover = await coverOf(command, rulesInMode(context).allow, context);
  if (cover === undefined) return { judged: "ask", reason: whyNotFree(command) };
  if (cover !== "free" && context.mode === "plan") {
    return { judged: "ask", reason: 'A rule allows it, but mode "plan" changes nothing before the plan is approved.' };
  }
  if (cover !== "free") return { judged: "allow", rule: cover, reason: "A rule allows it." };
  const isRead = readsOnly(command) !== undefined || command.starts.length > 0;
  return {
    judged: "allow",
    reason: isRead
      ? "It only reads, and where it may."
      : `It changes files of the working directories, which mode "${context.mode}" allows.`,
  };
}

/** The first thing that keeps a command from running unasked. */
function whyNotFree(command: SimpleCommand): string {
  const written = command.redirections.find(({ type }) => type === "output");
  if (!writesNothing(command) && written !== undefined) {
    return `It writes to ${shown(written.word.source)}, and no rule allows that.`;
  }
  const program = programOf(command);
  if (program === "" && command.words.length === 0) return "It sets variables that may change what later commands do.";
  if (program === "" || program.includes(UNKNOWN)) return "Which program it is, only the running shell knows.";
  const set = command.assignments.find((each) => !isHarmlessAssignment(each));
  if (set !== undefined) return `It sets ${set.name}, which may change what ${program} does, and no rule allows that.`;
  const [wrapped] = command.starts;
  if (wrapped !== undefined && program === "xargs" && whyNotKnown(wrapped) !== undefined) return XARGS;
  if (wrapped !== undefined) return `No rule allows what ${program} starts.`;
  const open = whyNotKnown(command);
  if (open !== undefined) return open;
  if (readsOnly(command) === undefined) {
    return `${program}, with these arguments, is not known to read only, and no rule allows it.`;
  }
  return "It may read what lies outside the working directories, or what rules keep from being read.";
}

const XARGS =
  "xargs makes words of what it is fed, which may be options or names that lie elsewhere, and cuts names at blanks: only those of find -print0 | xargs -0 are known.";

/** Words that only the running shell knows may be options, or name what nobody has looked at. */
function whyNotKnown(command: SimpleCommand): string | undefined {
  const args = argumentsOf(command);
  const pattern = args.find((word) => word.globAt !== undefined && isOption(word));
  if (pattern !== undefined) {
    return `The unquoted pattern in ${shown(pattern.source)} may become other words when it runs: put it in quotes.`;
  }
  const open = args.find((word) => word.isListed !== true && (word.maySplit === true || word.value.includes(UNKNOWN)));
  return open && `What ${shown(open.source)} stands for is only known when it runs, and may lie elsewhere.`;
}

const textOf = (command: SimpleCommand): string => shown(commandText(command));

const shown = (text: string): string =>
  text.length <= MAX_SHOWN_CHARS ? text : `${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}…`;
