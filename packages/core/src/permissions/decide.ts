import { sourceName } from "../settings/where-of.ts";
import { isReadOnlyCommand } from "../shell/analysis/read-only/read-only-command.ts";
import { rulesInMode } from "./auto-rules.ts";
import { sizeOf } from "./call-size.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import type { Because, Decision } from "./decision.ts";
import { refusalText } from "./denial-text.ts";
import { isFree } from "./free.ts";
import { gitNote } from "./git-note.ts";
import { allowedBy, firstHit, hitsRule } from "./match.ts";
import { forOneDecision } from "./one-decision.ts";
import { isPlanEdit } from "./plan-file.ts";
import type { Rule } from "./rule.ts";
import { dangerOf } from "./safety.ts";
import { isOfFamily } from "./tool-family.ts";
import { isWorkspaceEdit } from "./workspace-edit.ts";

/** They speak with the user: no rule or mode can answer for them. */
const userTools: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/**
 * May this call happen? Deny rules, ask rules, safety, mode, allow rules, and what is left is asked: the first that answers
 * decides. Nothing is asked here: the caller puts an `ask` to hooks and host, or denies it with `denialText`.
 */
export async function decidePermission(request: PermissionRequest, given: PermissionContext): Promise<Decision> {
  const context = forOneDecision(given);
  const hits = (rule: Rule) => hitsRule(rule, request, context);
  const size = sizeOf(request);
  const denying = await firstHit(context.rules.deny, hits, size);
  if (denying.surely !== undefined) return deny(request, byRule(denying.surely, "denies it"));
  if (denying.uncompared !== undefined) return deny(request, byRule(denying.uncompared, TOO_LARGE));

  const asking = await firstHit(context.rules.ask, hits, size);
  if (asking.surely !== undefined) return ask(request, context, byRule(asking.surely, "asks about it"));
  const open = denying.maybe ?? asking.maybe ?? asking.uncompared;
  if (open !== undefined) return ask(request, context, byRule(open, "may be about what this command runs or changes"));
  if (userTools.has(request.tool)) {
    return ask(request, context, { type: "safety", reason: `${request.tool} needs an answer of the user.` });
  }

  if (await isPlanEdit(request, context)) {
    return { behavior: "allow", because: { type: "mode", reason: 'Mode "plan" lets the plan be written.' } };
  }
  const danger = await dangerOf(request, context);
  const isWaived = danger?.type === "protected_path" && context.mode === "bypassPermissions";
  if (danger !== undefined && !isWaived) return ask(request, context, { type: "safety", reason: danger.reason });

  const granted = await grantOfMode(request, context);
  if (granted !== undefined) return { behavior: "allow", because: { type: "mode", reason: granted } };
  if (context.mode === "plan" && changesSomething(request)) {
    return ask(request, context, { type: "mode", reason: 'Mode "plan" changes nothing before the plan is approved.' });
  }

  const allowed = await allowedBy(request, { ...context, rules: rulesInMode(context) });
  if (allowed !== undefined) return { behavior: "allow", because: byRule(allowed, "allows it") };
  return ask(request, context, {
    type: "mode",
    reason: `No rule allows it and mode "${context.mode}" does not either.${await gitNote(request, context)}`,
  });
}

/** Why the mode alone lets the call run; undefined when it does not. */
async function grantOfMode(request: PermissionRequest, context: PermissionContext): Promise<string | undefined> {
  const { mode } = context;
  switch (mode) {
    case "bypassPermissions":
      return 'Mode "bypassPermissions" allows it.';
    case "acceptEdits":
      if (await isWorkspaceEdit(request, context)) return 'Mode "acceptEdits" allows edits in the working directories.';
      return (await isFree(request, context)) ? FREE : undefined;
    case "auto":
      if (isOfFamily(request.tool, "Edit") && (await isWorkspaceEdit(request, context)))
        return 'Mode "auto" allows edits in the working directories.';
      return (await isFree(request, context)) ? FREE : undefined;
    case "plan":
      if (context.isBypassAvailable === true) return 'Mode "plan" blocks nothing where permissions may be bypassed.';
      return (await isFree(request, context)) ? FREE : undefined;
    case "default":
    case "dontAsk":
      return (await isFree(request, context)) ? FREE : undefined;
    default:
      return mode satisfies never;
  }
}

const TOO_LARGE =
  "and perhaps those after it could not be compared with all of the call, which is too large: split it into smaller ones";
const FREE = "It changes nothing and stays in the working directories.";

const changesSomething = ({ tool, touches, isReadOnly }: PermissionRequest) =>
  (worktreeTools.has(tool) && !isReadOnly) ||
  touches.some(
    (touch) => touch.type === "write" || (touch.type === "command" && !isReadOnly && !isReadOnlyCommand(touch.command)),
  );

/** They make and remove checkouts and branches. */
const worktreeTools: ReadonlySet<string> = new Set(["EnterWorktree", "ExitWorktree"]);

const byRule = (rule: Rule, does: string): Because => ({
  type: "rule",
  rule: rule.text,
  source: rule.source,
  reason: `Rule "${rule.text}" (${sourceName(rule.source)}) ${does}.`,
});

function deny({ tool, input }: PermissionRequest, because: Because): Decision {
  return { behavior: "deny", message: refusalText(tool, input, because), because };
}

/** In `dontAsk` a question is a denial; in `auto` what no rule and no tool asks for is the classifier's. */
function ask(request: PermissionRequest, context: PermissionContext, because: Because): Decision {
  const { mode } = context;
  if (mode === "dontAsk") {
    return deny(request, { ...because, reason: `${because.reason} Mode "dontAsk" denies what would be asked.` });
  }
  const isForClassifier = mode === "auto" && because.type !== "rule" && !userTools.has(request.tool);
  return { behavior: "ask", because, suggestions: [], ...(isForClassifier ? { isForClassifier } : {}) };
}
