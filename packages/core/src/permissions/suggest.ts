import { commandParts } from "./command-parts.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { decidePermission } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { placeOf } from "./place.ts";
import { withChanges, withUpdate } from "./rule-changes.ts";
import type { RuleSet } from "./rule-set.ts";
import { suggestForCommand } from "./suggest-command.ts";
import { suggestForEdit, suggestForRead } from "./suggest-path.ts";
import { isOfFamily } from "./tool-family.ts";
import type { PermissionUpdate } from "./update.ts";

/** `decidePermission`, and for what is asked the changes after which this very call would not be asked about. */
export async function decideWithSuggestions(request: PermissionRequest, context: PermissionContext): Promise<Decision> {
  const decision = await decidePermission(request, context);
  if (decision.behavior !== "ask") return decision;
  const [touch] = request.touches;
  const found = touch?.type === "command" ? await commandParts(touch.command, context) : undefined;
  const parts = found === undefined ? {} : { parts: found };
  if (decision.because.type !== "mode") return { ...decision, ...parts };
  return { ...decision, suggestions: await suggestionsFor(request, context), ...parts };
}

/** What "don't ask again" would save. Empty: nothing narrow enough covers the call. */
async function suggestionsFor(
  request: PermissionRequest,
  context: PermissionContext,
): Promise<readonly PermissionUpdate[]> {
  for (const updates of await candidates(request, context)) {
    if (updates.length > 0 && (await allowsAfter(updates, request, context))) return updates;
  }
  return [];
}

/** Best first. Whether one covers the call the decision itself says afterwards. */
async function candidates(
  request: PermissionRequest,
  context: PermissionContext,
): Promise<readonly (readonly PermissionUpdate[])[]> {
  const { tool, touches, input } = request;
  const [touch] = touches;
  if (isOfFamily(tool, "Bash") && touch?.type === "command") return suggestForCommand(touch.command, context);
  if (isOfFamily(tool, "Edit")) return suggestForEdit(request, context);
  if (isOfFamily(tool, "Read")) return suggestForRead(request, context);
  if (touch?.type === "url") return [rule(tool, hostRule(touch.url))];
  if (tool === "Skill" && typeof input["skill"] === "string") return [rule(tool, input["skill"])];
  return [rule(tool)];
}

const hostRule = (url: string): string | undefined =>
  URL.canParse(url) ? `domain:${new URL(url).hostname}` : undefined;

const rule = (toolName: string, ruleContent?: string): PermissionUpdate[] => [
  {
    type: "addRules",
    rules: [{ toolName, ...(ruleContent === undefined ? {} : { ruleContent }) }],
    behavior: "allow",
    destination: "localSettings",
  },
];

async function allowsAfter(
  updates: readonly PermissionUpdate[],
  request: PermissionRequest,
  context: PermissionContext,
): Promise<boolean> {
  let after = context;
  for (const update of updates) after = await contextAfter(update, after);
  return (await decidePermission(request, after)).behavior === "allow";
}

async function contextAfter(update: PermissionUpdate, context: PermissionContext): Promise<PermissionContext> {
  switch (update.type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return { ...context, rules: changedRules(context.rules, update) };
    case "setMode":
      return { ...context, mode: update.mode };
    case "addDirectories": {
      const places = await Promise.all(update.directories.map((path) => placeOf(path, context)));
      return { ...context, directories: [...context.directories, ...places.flatMap(({ real }) => real)] };
    }
    case "removeDirectories":
      return context;
    default:
      return update satisfies never;
  }
}

const changedRules = (rules: RuleSet, update: Extract<PermissionUpdate, { rules: unknown }>): RuleSet =>
  withChanges(rules, withUpdate([], update));
