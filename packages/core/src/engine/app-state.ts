import type { PermissionMode } from "../permissions/mode.ts";
import type { RuleChanges } from "../permissions/rule-changes.ts";

/** The session's live state: read by a getter, changed only by a function of the value before. */
export type AppState = {
  readonly mode: PermissionMode;
  /** What was changed of the permission rules since the session began. */
  readonly ruleChanges?: RuleChanges;
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
  /** Told after each change; gives a function that ends it. */
  onChange(listener: (before: AppState, after: AppState) => void): () => void;
};

export function appStateStore(initial: AppState): AppStateStore {
  let state = initial;
  const listeners = new Set<(before: AppState, after: AppState) => void>();
  return {
    get: () => state,
    set(update) {
      const before = state;
      state = update(before);
      for (const listener of [...listeners]) listener(before, state);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
