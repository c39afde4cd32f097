import type { AppState } from "./app-state.ts";

/** Whether a call that was judged before may be judged differently now. */
export const havePermissionsChanged = (before: AppState, after: AppState): boolean =>
  before.mode !== after.mode || before.ruleChanges !== after.ruleChanges || before.directories !== after.directories;
