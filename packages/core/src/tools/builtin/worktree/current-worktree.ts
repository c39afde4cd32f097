import type { ToolContext } from "../../tool.ts";

/** The part of the session's state that holds the worktree that it stands in. */
const WORKTREE_PART = "worktree";

export type CurrentWorktree = {
  /** Absolute real path. */
  path: string;
  branch: string;
  /** Where the session stood before, and goes back to. Absolute. */
  cwdBefore: string;
  /** It was made by this session, which may therefore remove it. */
  isOwn: boolean;
};

type State = Pick<ToolContext, "state">;

/** Undefined when the session stands in no worktree that it has entered. */
export function currentWorktree({ state }: State): CurrentWorktree | undefined {
  const stored = state.get(WORKTREE_PART);
  return isWorktree(stored) ? stored : undefined;
}

export const setWorktree = ({ state }: State, worktree: CurrentWorktree | null): Promise<void> =>
  state.set(WORKTREE_PART, worktree);

/** What was stored may come from a session of another version. */
function isWorktree(value: unknown): value is CurrentWorktree {
  if (typeof value !== "object" || value === null) return false;
  const { path, branch, cwdBefore, isOwn }: Partial<Record<string, unknown>> = { ...value };
  return [path, branch, cwdBefore].every((text) => typeof text === "string") && typeof isOwn === "boolean";
}
