import { badOption } from "./check-options.ts";

/**
 * Which tools the model must search for. `where_taken` (default): those that say so, and MCP tools when model and address are
 * known to take references. `always`: those whatever the model. `above`: those, once they are more than so many percent of
 * the window. `never`: none.
 */
export type ToolSearchMode =
  | { type: "where_taken" }
  | { type: "always" }
  | { type: "above"; percent: number }
  | { type: "never" };

const DEFAULT_PERCENT = 10;

/** From the variable `ENABLE_TOOL_SEARCH`. @throws PawlError `bad_option`. */
export function toolSearchMode(text: string | undefined): ToolSearchMode {
  const [word, percent, ...rest] = (text ?? "").toLowerCase().split(":");
  if (word === "" && percent === undefined) return { type: "where_taken" };
  if (percent === undefined && /^(?:true|1|on)$/.test(word ?? "")) return { type: "always" };
  if (percent === undefined && /^(?:false|0|off)$/.test(word ?? "")) return { type: "never" };
  if (word === "auto" && percent === undefined) return { type: "above", percent: DEFAULT_PERCENT };
  if (word === "auto" && rest.length === 0 && /^(?:\d{1,2}|100)$/.test(percent ?? ""))
    return { type: "above", percent: Number(percent) };
  throw badOption("ENABLE_TOOL_SEARCH", `is "${text}"; give true, false, auto or auto:N with N in percent`);
}
