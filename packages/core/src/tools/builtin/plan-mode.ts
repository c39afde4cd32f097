import { isRecord } from "../../messages/api-shape.ts";
import { type PermissionMode, permissionModeNamed } from "../../permissions/mode.ts";

/** The part of the session's state that plan mode keeps. */
export const PLAN_PART = "plan";

/** A plan is for a person to read. Bytes. */
export const MAX_PLAN_BYTES = 256 * 1024;

/** What the model is told when plan mode begins, whoever turned it on. */
export function planModeText(planPath: string): string {
  return `Plan mode is on: look at whatever you need, and change nothing but the plan.
Write the plan to ${planPath} with Write, and go on with Edit as you learn more.
What only the user can decide, ask with AskUserQuestion. When the plan is whole, call ExitPlanMode: the user then approves it or says what to change.`;
}

type StoredPlan = {
  /** The mode that approval goes back to. */
  modeBefore: PermissionMode;
  /** The model knows that plan mode is on. */
  isTold: boolean;
};

/** What was stored, as it may come from a session of another version. */
export function storedPlan(stored: unknown): StoredPlan {
  const { modeBefore, isTold }: Record<string, unknown> = isRecord(stored) ? stored : {};
  const mode = typeof modeBefore === "string" ? permissionModeNamed(modeBefore) : undefined;
  return { modeBefore: mode === undefined || mode === "plan" ? "default" : mode, isTold: isTold === true };
}
