import { matchesWildcard } from "./wildcard.ts";

/** Whether a rule's tool part means this tool. `mcp__server` means all tools of the server. */
export function namesTool(pattern: string, tool: string): boolean {
  return matchesWildcard(pattern, tool) || (/^mcp__.+/.test(pattern) && tool.startsWith(`${pattern}__`));
}
