import type { DescribedTool } from "./call-touches.ts";
import type { PermissionContext } from "./context.ts";
import { explainCall, type PermissionExplanation } from "./explain.ts";
import type { PermissionMode } from "./mode.ts";
import { parseRule, type RuleList } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";

/** Rules as a person writes them; a list that is left out is empty. */
export type WrittenRules = Partial<Readonly<Record<RuleList, readonly string[]>>>;

/** Tells how a session would decide. Nothing runs, and nothing is sent or written. */
export type PermissionJudge = {
  /**
   * A decision with all that it was made from, or what is wrong with the input.
   *
   * @param changes `mode` instead of the session's, `rules` instead of all that there are.
   * @throws PawlError `rule_invalid`.
   */
  explain(
    tool: string,
    input: Record<string, unknown>,
    changes?: { mode?: PermissionMode; rules?: WrittenRules },
  ): Promise<PermissionExplanation | { fault: string }>;
  /** What of settings and options was left out, and why. */
  readonly notices: readonly string[];
};

export function judgeIn(
  context: PermissionContext,
  notices: readonly string[],
  tools: readonly DescribedTool[],
): PermissionJudge {
  return {
    notices,
    explain: (tool, input, { mode = context.mode, rules } = {}) =>
      explainCall(
        tool,
        input,
        { ...context, mode, rules: rules === undefined ? context.rules : ruleSetOf(rules) },
        tools,
      ),
  };
}

function ruleSetOf({ allow = [], ask = [], deny = [] }: WrittenRules): RuleSet {
  const read = (texts: readonly string[]) => texts.map((text) => parseRule(text, "cliArg"));
  return { allow: read(allow), ask: read(ask), deny: read(deny) };
}
