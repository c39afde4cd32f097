import type { Rule } from "./rule.ts";
import { isOfFamily } from "./tool-family.ts";
import { namesTool } from "./tool-pattern.ts";

/** The tools left for the model's list: a deny rule without a spec takes its tools away, one with a spec keeps them. */
export function withoutDeniedTools<T extends { readonly name: string }>(
  tools: readonly T[],
  deny: readonly Rule[],
): T[] {
  const bare = deny.filter((rule) => rule.spec === undefined);
  return tools.filter(({ name }) => !bare.some((rule) => takesAway(rule, name)));
}

/** Without `Bash` nothing is left that runs commands. */
const takesAway = ({ tool }: Rule, name: string): boolean =>
  namesTool(tool, name) || (namesTool(tool, "Bash") && isOfFamily(name, "Bash"));
