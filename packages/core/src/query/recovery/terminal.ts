import type { ModelFailure } from "../../models/failure.ts";
import type { Terminal } from "../transition.ts";

/** How the turn ends when nothing is left to try. */
export function terminalOf(failure: ModelFailure): Terminal {
  if (failure.type === "output_truncated" && failure.cutTool !== undefined) return { reason: "malformed_tool_use" };
  if (failure.type === "refused") return { reason: "refusal" };
  if (failure.type === "prompt_too_long") return { reason: "prompt_too_long", failure };
  return failure.type === "media" ? { reason: "image_error", failure } : { reason: "model_error", failure };
}
