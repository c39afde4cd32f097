import { messageOf } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import { permissionModeNamed } from "./mode.ts";
import { parseRule, type RuleList } from "./rule.ts";
import { inertRuleWarning } from "./rule-set.ts";
import {
  type PermissionRuleValue,
  type PermissionUpdate,
  ruleText,
  type UpdateDestination,
  updateDestinations,
} from "./update.ts";

/** Rules or directories that one update may carry. */
const MAX_PER_UPDATE = 100;

type ReadUpdates = { type: "read"; updates: PermissionUpdate[] } | { type: "refused"; reason: string };

/** Updates as a host gave them, whatever their type says. One that cannot be meant refuses them all. */
export function readUpdates(value: unknown): ReadUpdates {
  if (!Array.isArray(value)) return { type: "refused", reason: "updatedPermissions is no list" };
  const updates: PermissionUpdate[] = [];
  for (const [index, each] of value.entries()) {
    const read = readUpdate(each);
    if (typeof read === "string") return { type: "refused", reason: `updatedPermissions[${index}]: ${read}` };
    updates.push(read);
  }
  return { type: "read", updates };
}

const lists = ["allow", "ask", "deny"] as const satisfies readonly RuleList[];

/** The update, or why it is none. */
function readUpdate(value: unknown): PermissionUpdate | string {
  if (!isRecord(value)) return "it is no object";
  const destination = updateDestinations.find((each) => each === value["destination"]);
  if (destination === undefined) return `destination must be one of ${updateDestinations.join(", ")}`;
  const type = value["type"];
  switch (type) {
    case "addRules":
    case "replaceRules":
    case "removeRules":
      return readRuleUpdate(type, value, destination);
    case "setMode": {
      const mode = typeof value["mode"] === "string" ? permissionModeNamed(value["mode"]) : undefined;
      return mode === undefined ? `there is no mode ${JSON.stringify(value["mode"])}` : { type, mode, destination };
    }
    case "addDirectories":
    case "removeDirectories": {
      const directories = stringsOf(value["directories"]);
      return directories === undefined ? listFault("directories", "paths") : { type, directories, destination };
    }
    default:
      return `there is no update of type ${JSON.stringify(type)}`;
  }
}

function readRuleUpdate(
  type: "addRules" | "replaceRules" | "removeRules",
  value: Readonly<Record<string, unknown>>,
  destination: UpdateDestination,
): PermissionUpdate | string {
  const behavior = lists.find((list) => list === value["behavior"]);
  if (behavior === undefined) return `behavior must be one of ${lists.join(", ")}`;
  const given = value["rules"];
  if (!Array.isArray(given) || given.length > MAX_PER_UPDATE) return listFault("rules", "rules");
  const rules: PermissionRuleValue[] = [];
  for (const each of given) {
    const rule = readRule(each);
    const fault = rule === undefined ? "a rule is {toolName, ruleContent?}" : ruleFault(rule, behavior, destination);
    if (rule === undefined || (fault !== undefined && type !== "removeRules")) return fault ?? "";
    rules.push(rule);
  }
  return { type, rules, behavior, destination };
}

function readRule(value: unknown): PermissionRuleValue | undefined {
  if (!isRecord(value)) return undefined;
  const { toolName, ruleContent } = value;
  if (typeof toolName !== "string" || !(ruleContent === undefined || typeof ruleContent === "string")) return undefined;
  return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) };
}

function ruleFault(rule: PermissionRuleValue, list: RuleList, destination: UpdateDestination): string | undefined {
  try {
    return inertRuleWarning(parseRule(ruleText(rule), destination), list);
  } catch (error) {
    return messageOf(error);
  }
}

function stringsOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value) || value.length > MAX_PER_UPDATE) return undefined;
  return value.every((each): each is string => typeof each === "string" && each !== "" && !each.includes("\0"))
    ? value
    : undefined;
}

const listFault = (name: string, what: string) => `${name} must be a list of at most ${MAX_PER_UPDATE} ${what}`;
