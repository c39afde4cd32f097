import { type DescribedTool, describeCall } from "./call-touches.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { decidePermission } from "./decide.ts";
import type { Because, Decision } from "./decision.ts";
import { type ExplainedCommand, explainCommand } from "./explain-command.ts";
import type { PermissionMode } from "./mode.ts";
import { placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";

/** A rule, and where it was written. */
type ExplainedRule = { rule: string; source: string; place?: string; line?: number };

/** A decision about one call, with all that it was made from. */
export type PermissionExplanation = {
  tool: string;
  input: Record<string, unknown>;
  decision: Decision["behavior"];
  reason: string;
  /** What decided: a rule, the mode, or a safety check that no rule answers for. */
  decidedBy: Because["type"];
  rule?: ExplainedRule;
  mode: PermissionMode;
  cwd: string;
  /** Files that the tool reads or changes, as named and where they really lie. */
  paths?: { type: "reads" | "writes"; path: string; leadsTo: readonly string[] }[];
  /** Of a command: each simple command that it may run. */
  commands?: (Omit<ExplainedCommand, "rule"> & { rule?: ExplainedRule })[];
  /** Why a part of the command can only be judged when it runs; such a command is asked about. */
  doubts?: readonly string[];
};

/** The whole story of one decision; or what is wrong with the input. Nothing runs. */
export async function explainCall(
  tool: string,
  input: Record<string, unknown>,
  context: PermissionContext,
  tools: readonly DescribedTool[] = [],
): Promise<PermissionExplanation | { fault: string }> {
  const request = describeCall(tool, input, tools);
  if ("fault" in request) return request;
  const decision = await decidePermission(request, context);
  const { behavior, because } = decision;
  const rule = because.rule === undefined ? undefined : ruleOf(decision, context);
  return {
    tool,
    input,
    decision: behavior,
    reason: because.reason,
    decidedBy: because.type,
    ...(rule === undefined ? {} : { rule: shownRule(rule) }),
    mode: context.mode,
    cwd: context.cwd,
    ...(await pathsOf(request, context)),
    ...(await commandsOf(request, decision, context)),
  };
}

/** The rule by its text and source, first in the list of the answer: in `dontAsk` a rule that asks has denied. */
function ruleOf({ behavior, because }: Decision, { rules }: PermissionContext): Rule | undefined {
  const all = [...rules[behavior], ...rules.deny, ...rules.ask, ...rules.allow];
  return all.find(({ text, source }) => text === because.rule && source === because.source);
}

const shownRule = ({ text, source, place, line }: Rule): ExplainedRule => ({
  rule: text,
  source,
  ...(place === undefined ? {} : { place }),
  ...(line === undefined ? {} : { line }),
});

async function pathsOf(
  { touches }: PermissionRequest,
  context: PermissionContext,
): Promise<Pick<PermissionExplanation, "paths">> {
  const paths: NonNullable<PermissionExplanation["paths"]> = [];
  for (const touch of touches) {
    if (touch.type !== "read" && touch.type !== "write") continue;
    const { real } = await placeOf(touch.path, context);
    paths.push({ type: touch.type === "read" ? "reads" : "writes", path: touch.path, leadsTo: [...new Set(real)] });
  }
  return paths.length === 0 ? {} : { paths };
}

async function commandsOf(
  { touches }: PermissionRequest,
  decision: Decision,
  context: PermissionContext,
): Promise<Pick<PermissionExplanation, "commands" | "doubts">> {
  const lines = touches.flatMap((touch) => (touch.type === "command" ? [touch.command] : []));
  const [line] = lines;
  if (line === undefined) return {};
  const { commands, doubts } = await explainCommand(line, context);
  return {
    commands: commands.map(({ rule, ...command }) => ({
      ...inTheWhole(command, decision),
      ...(rule === undefined ? {} : { rule: shownRule(rule) }),
    })),
    ...(doubts.length === 0 ? {} : { doubts }),
  };
}

/** What would be asked of a part alone the whole has answered, by a rule for the line or by the mode. */
function inTheWhole<T extends Pick<ExplainedCommand, "judged" | "reason">>(
  command: T,
  { behavior, because }: Decision,
): T {
  if (command.judged !== "ask" || behavior === "ask") return command;
  if (behavior === "deny" && because.type !== "mode") return command;
  return {
    ...command,
    judged: behavior,
    reason: behavior === "allow" ? because.reason : `${command.reason} ${because.reason}`,
  };
}
