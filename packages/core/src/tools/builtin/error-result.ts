import type { ToolResult } from "../tool.ts";

/** The result of a call that failed or was not carried out. Consumers know an error by its structured value being a string. */
export const errorResult = (text: string): ToolResult => ({
  content: text,
  isError: true,
  structured: `Error: ${text}`,
});
