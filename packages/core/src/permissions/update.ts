import type { PermissionMode } from "./mode.ts";
import type { RuleList, RuleSource } from "./rule.ts";

/** Where a change holds: files last, `session` and `cliArg` end with the session. */
export const updateDestinations = ["userSettings", "projectSettings", "localSettings", "session", "cliArg"] as const;
export type UpdateDestination = (typeof updateDestinations)[number] & RuleSource;

/** A rule in two parts, nothing escaped: `{toolName: "Bash", ruleContent: "npm test"}` is `Bash(npm test)`. */
export type PermissionRuleValue = { toolName: string; ruleContent?: string };

/** A change of what may happen without asking, in the public shape. Directories are absolute or relative to the session's. */
export type PermissionUpdate =
  | {
      type: "addRules" | "replaceRules" | "removeRules";
      rules: readonly PermissionRuleValue[];
      behavior: RuleList;
      destination: UpdateDestination;
    }
  | { type: "setMode"; mode: PermissionMode; destination: UpdateDestination }
  | {
      type: "addDirectories" | "removeDirectories";
      directories: readonly string[];
      destination: UpdateDestination;
    };

/** The rule as it is written in settings: what would end it early is escaped. */
export function ruleText({ toolName, ruleContent }: PermissionRuleValue): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent.replace(/[()\\]/g, "\\$&")})`;
}
