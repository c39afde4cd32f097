import { namesTool } from "./match.ts";
import type { Rule } from "./rule.ts";

/** The tools left for the model's list: a deny rule without a spec takes its tools away, one with a spec keeps them. */
export function withoutDeniedTools<T extends { readonly name: string }>(
  tools: readonly T[],
  deny: readonly Rule[],
): T[] {
  const bare = deny.filter((rule) => rule.spec === undefined);
  return tools.filter((tool) => !bare.some((rule) => namesTool(rule.tool, tool.name)));
}
