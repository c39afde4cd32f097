import type { UserMessage } from "../messages/message.ts";
import type { PermissionMode } from "../permissions/mode.ts";
import { refuseMode } from "../permissions/mode-limits.ts";
import { PLAN_PART, planModeText, storedPlan } from "../tools/builtin/plan-mode.ts";
import { userLine } from "./input.ts";
import { record, type Session, setPart } from "./session.ts";

/**
 * At once, for calls that are decided from now on. What plan mode goes back to is kept. Resolves when durable.
 *
 * @throws PawlError `bad_option` when the session may not enter the mode.
 */
export async function setMode(session: Session, mode: PermissionMode): Promise<void> {
  const { appState } = session.config;
  const before = appState.get().mode;
  if (mode === before) return;
  refuseMode(mode, session.config.modeRefusals ?? {});
  appState.set((state) => ({ ...state, mode }));
  await record(session, { type: "state", part: "mode", value: mode });
  if (mode === "plan") await setPart(session, PLAN_PART, { modeBefore: before, isTold: false });
}

/** What the model must be told because plan mode was turned on or off by somebody else; empty when it knows. */
export async function planNotice(session: Session): Promise<UserMessage[]> {
  const { appState, planPath, clock } = session.config;
  const { mode, parts } = appState.get();
  const plan = storedPlan(parts[PLAN_PART]);
  const isOn = mode === "plan";
  if (isOn === plan.isTold) return [];
  await setPart(session, PLAN_PART, { ...plan, isTold: isOn });
  const text = isOn ? planModeText(planPath) : "Plan mode is off: you may change things again.";
  return [userLine(clock.uuid(), [{ type: "text", text }], true)];
}
