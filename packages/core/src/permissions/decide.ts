import { isReadOnlyCommand } from "../shell/analysis/read-only/read-only-command.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import type { Because, Decision } from "./decision.ts";
import { refusalText } from "./denial-text.ts";
import { isFree } from "./free.ts";
import { allowedBy, hitsRule } from "./match.ts";
import type { Rule } from "./rule.ts";
import { dangerOf } from "./safety.ts";
import { isWorkspaceEdit } from "./workspace-edit.ts";

/** They speak with the user: no rule or mode can answer for them. */
const userTools: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/**
 * May this call happen? Deny rules, ask rules, safety, mode, allow rules, and what is left is asked: the first that answers
 * decides. Nothing is asked here: the caller puts an `ask` to hooks and host, or denies it with `denialText`.
 */
export async function decidePermission(request: PermissionRequest, context: PermissionContext): Promise<Decision> {
  const denying = await hitting(context.rules.deny, request, context);
  if (denying.surely !== undefined) return deny(request, byRule(denying.surely, "denies it"));

  const asking = await hitting(context.rules.ask, request, context);
  if (asking.surely !== undefined) return ask(request, context, byRule(asking.surely, "asks about it"));
  const open = denying.maybe ?? asking.maybe;
  if (open !== undefined) return ask(request, context, byRule(open, "may be about what this command runs or changes"));
  if (userTools.has(request.tool)) {
    return ask(request, context, { type: "safety", reason: `${request.tool} needs an answer of the user.` });
  }

  const danger = await dangerOf(request, context);
  const isWaived = danger?.type === "protected_path" && context.mode === "bypassPermissions";
  if (danger !== undefined && !isWaived) return ask(request, context, { type: "safety", reason: danger.reason });

  const granted = await grantOfMode(request, context);
  if (granted !== undefined) return { behavior: "allow", because: { type: "mode", reason: granted } };
  if (context.mode === "plan" && changesSomething(request)) {
    return ask(request, context, { type: "mode", reason: 'Mode "plan" changes nothing before the plan is approved.' });
  }

  const allowed = await allowedBy(request, context);
  if (allowed !== undefined) return { behavior: "allow", because: byRule(allowed, "allows it") };
  return ask(request, context, {
    type: "mode",
    reason: `No rule allows it and mode "${context.mode}" does not either.`,
  });
}

/** The first rule that is about the call, or else the first that may be. */
async function hitting(
  rules: readonly Rule[],
  request: PermissionRequest,
  context: PermissionContext,
): Promise<{ surely?: Rule; maybe?: Rule }> {
  let maybe: Rule | undefined;
  for (const rule of rules) {
    const hit = await hitsRule(rule, request, context);
    if (hit === "yes") return { surely: rule };
    if (hit === "maybe") maybe ??= rule;
  }
  return maybe === undefined ? {} : { maybe };
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
    case "default":
    case "plan":
    case "dontAsk":
      return (await isFree(request, context)) ? FREE : undefined;
    default:
      return mode satisfies never;
  }
}

const FREE = "It changes nothing and stays in the working directories.";

const changesSomething = ({ touches, isReadOnly }: PermissionRequest) =>
  touches.some(
    (touch) => touch.type === "write" || (touch.type === "command" && !isReadOnly && !isReadOnlyCommand(touch.command)),
  );

const byRule = (rule: Rule, does: string): Because => ({
  type: "rule",
  rule: rule.text,
  source: rule.source,
  reason: `Rule "${rule.text}" (${rule.source}) ${does}.`,
});

function deny({ tool, input }: PermissionRequest, because: Because): Decision {
  return { behavior: "deny", message: refusalText(tool, input, because), because };
}

/** In `dontAsk` a question is a denial. */
function ask(request: PermissionRequest, context: PermissionContext, because: Because): Decision {
  if (context.mode !== "dontAsk") return { behavior: "ask", because, suggestions: [] };
  return deny(request, { ...because, reason: `${because.reason} Mode "dontAsk" denies what would be asked.` });
}
