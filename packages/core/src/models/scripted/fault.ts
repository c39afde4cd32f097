import type { ModelFailure, Phase } from "../failure.ts";
import { failureOfRefusal, kindOfStatus } from "../refusal.ts";
import type { ScenarioFault } from "./scenario.ts";

const DEFAULT_STATUS = 500;

/** What the engine sees of a fault, sorted as the real provider's would be. */
export function failureOf(
  type: Exclude<ScenarioFault["type"], "stall">,
  { status, message, retryAfterMs }: ScenarioFault,
  phase: Phase,
): ModelFailure {
  if (type === "cut") return { type, phase, message: message ?? "the connection closed in the middle of the answer" };
  if (type === "error_event" && status === undefined) {
    return { type: "overloaded", phase, message: message ?? "Overloaded" };
  }
  const told = status ?? DEFAULT_STATUS;
  return failureOfRefusal({
    kind: kindOfStatus(told),
    text: message ?? "a fault of the scenario",
    status: told,
    phase,
    waits: retryAfterMs === undefined ? {} : { retryAfterMs },
  });
}
