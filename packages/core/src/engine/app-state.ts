import type { PermissionMode } from "../permissions/mode.ts";

/** The session's live state: read by a getter, changed only by a function of the value before. */
export type AppState = {
  readonly mode: PermissionMode;
  /** Absolute; where the session stands now. */
  readonly cwd: string;
  /** Absolute real paths that the session may work in: the start directory and the added ones. */
  readonly directories: readonly string[];
  /** What tools keep, such as the to-do list. */
  readonly parts: Readonly<Record<string, unknown>>;
};

export type AppStateStore = {
  get(): AppState;
  set(update: (before: AppState) => AppState): void;
};

export function appStateStore(initial: AppState): AppStateStore {
  let state = initial;
  return {
    get: () => state,
    set(update) {
      state = update(state);
    },
  };
}
