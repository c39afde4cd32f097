import { parseRule, type Rule, type RuleList } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";
import { type PermissionUpdate, ruleText, type UpdateDestination } from "./update.ts";

/** What the session has changed in one list of one source. Rules as texts, so that it can be kept as data. */
type ListChange = {
  destination: UpdateDestination;
  behavior: RuleList;
  /** Whether the rules that the source had before no longer count. */
  replaces: boolean;
  added: readonly string[];
  removed: readonly string[];
};

/** At most one for each list of each source. */
export type RuleChanges = readonly ListChange[];

type RuleUpdate = Extract<PermissionUpdate, { rules: unknown }>;

/** More rules than a person gives; further ones are refused. */
export const MAX_SESSION_RULES = 1_000;

export const countAdded = (changes: RuleChanges): number =>
  changes.reduce((total, { added }) => total + added.length, 0);

/** The changes with one more. */
export function withUpdate(changes: RuleChanges, update: RuleUpdate): RuleChanges {
  const { destination, behavior } = update;
  const isMeant = (change: ListChange) => change.destination === destination && change.behavior === behavior;
  const none: ListChange = { destination, behavior, replaces: false, added: [], removed: [] };
  const before = changes.find(isMeant) ?? none;
  return [...changes.filter((change) => !isMeant(change)), changed(before, update.type, update.rules.map(ruleText))];
}

function changed(before: ListChange, type: RuleUpdate["type"], texts: readonly string[]): ListChange {
  const rest = (rules: readonly string[]) => rules.filter((rule) => !texts.includes(rule));
  switch (type) {
    case "addRules":
      return { ...before, added: [...rest(before.added), ...new Set(texts)], removed: rest(before.removed) };
    case "removeRules":
      return { ...before, added: rest(before.added), removed: [...rest(before.removed), ...new Set(texts)] };
    case "replaceRules":
      return { ...before, replaces: true, added: [...new Set(texts)], removed: [] };
    default:
      return type satisfies never;
  }
}

/** The rules that hold now: those that the session started with, and what was changed since. */
export function withChanges(rules: RuleSet, changes: RuleChanges): RuleSet {
  if (changes.length === 0) return rules;
  const listOf = (list: RuleList) => changes.filter(({ behavior }) => behavior === list).reduce(apply, rules[list]);
  return { allow: listOf("allow"), ask: listOf("ask"), deny: listOf("deny") };
}

function apply(rules: readonly Rule[], { destination, replaces, added, removed }: ListChange): readonly Rule[] {
  const isGone = ({ source, text }: Rule) => source === destination && (replaces || removed.includes(text));
  return [...rules.filter((rule) => !isGone(rule)), ...added.map((text) => parseRule(text, destination))];
}

/** What a session that goes on keeps of the changes of its last run: what forbids. What allowed is asked for anew. */
export function keptOnResume(value: unknown): RuleChanges {
  if (!Array.isArray(value)) return [];
  return value.flatMap((each: Partial<ListChange> | null) => {
    const { destination, behavior, added } = each ?? {};
    const isKept =
      (destination === "session" || destination === "cliArg") && (behavior === "deny" || behavior === "ask");
    if (!isKept || !Array.isArray(added)) return [];
    const texts = added.filter((text) => typeof text === "string" && isRule(text, destination));
    return [{ destination, behavior, replaces: false, added: texts, removed: [] }];
  });
}

function isRule(text: string, source: UpdateDestination): boolean {
  try {
    parseRule(text, source);
    return true;
  } catch {
    return false;
  }
}
