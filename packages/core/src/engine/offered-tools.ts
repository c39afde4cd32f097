import type { Rule } from "../permissions/rule.ts";
import { withoutDeniedTools } from "../permissions/tool-filter.ts";
import type { Tool } from "../tools/tool.ts";
import { badOption } from "./check-options.ts";
import type { EngineOptions } from "./options.ts";

/**
 * The tools that the model is offered: the built-in ones that are wanted, and the embedder's, less those that a bare deny
 * rule takes away. When names clash the built-in one wins and the other is reported. `output`, by which the model gives the
 * output that was asked for, is always there.
 */
export function offeredTools(
  builtin: readonly Tool[],
  { tools, customTools = [] }: EngineOptions,
  deny: readonly Rule[],
  output?: Tool,
): { tools: Tool[]; notices: string[] } {
  const wanted = tools === undefined ? builtin : tools.map((name) => named(builtin, name));
  const offered = new Map(wanted.map((tool) => [tool.name, tool]));
  const notices: string[] = [];
  for (const tool of customTools) {
    if (!offered.has(tool.name) && tool.name !== output?.name) offered.set(tool.name, tool);
    else notices.push(`The tool "${tool.name}" is left out: one of that name is there already; give it another name.`);
  }
  return { tools: [...withoutDeniedTools([...offered.values()], deny), ...(output ? [output] : [])], notices };
}

function named(builtin: readonly Tool[], name: string): Tool {
  const found = builtin.find((tool) => tool.name === name);
  if (found) return found;
  throw badOption("tools", `names "${name}"; the built-in tools are ${builtin.map((tool) => tool.name).join(", ")}`);
}
