import type { ToolResult } from "../tool.ts";
import { refusedText } from "../tool-result.ts";

/** The result of a call that failed. Consumers know an error by its structured value being a string. */
export const errorResult = (text: string): ToolResult => ({
  content: text,
  isError: true,
  structured: `Error: ${text}`,
});

/** The result of a call that was not carried out, because what it asks for cannot be: in the form that consumers match. */
export const refusal = (text: string): ToolResult => ({
  ...errorResult(text),
  content: refusedText(text),
});
