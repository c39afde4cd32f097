import { isRecord } from "../messages/api-shape.ts";

/**
 * The input of a call as people write it: an object, or a text for the one field that the tool is about (a command, a path,
 * a URL). Undefined when it is neither.
 */
export function callInput(tool: string, written: unknown): Record<string, unknown> | undefined {
  if (isRecord(written)) return written;
  const field = mainFieldOf(tool);
  return typeof written === "string" && field !== undefined ? { [field]: written } : undefined;
}

export const mainFieldOf = (tool: string): string | undefined =>
  Object.hasOwn(mainFields, tool) ? mainFields[tool] : undefined;

const mainFields: Readonly<Record<string, string>> = {
  Bash: "command",
  Monitor: "command",
  Read: "file_path",
  Write: "file_path",
  Edit: "file_path",
  MultiEdit: "file_path",
  NotebookEdit: "notebook_path",
  Grep: "path",
  Glob: "pattern",
  Cd: "path",
  WebFetch: "url",
  WebSearch: "query",
  Agent: "subagent_type",
  Skill: "skill",
};
