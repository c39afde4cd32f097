import { isAbsolute, resolve } from "node:path";
import { messageOf } from "../lib/error.ts";
import { refuseMode } from "../permissions/mode-limits.ts";
import { readUpdates } from "../permissions/read-updates.ts";
import { countAdded, MAX_SESSION_RULES, withUpdate } from "../permissions/rule-changes.ts";
import type { PermissionUpdate } from "../permissions/update.ts";
import type { AppState } from "./app-state.ts";
import { noticeFrame } from "./notice-frame.ts";
import { record, type Session } from "./session.ts";
import { setMode } from "./set-mode.ts";

/** Parts of the live state, as the journal names them. */
export const RULES_PART = "rules";
const DIRECTORIES_PART = "dirs";

/**
 * Puts into force what a host changed with its answer: for this session at once, and in a file where that is the destination.
 * If one of the updates cannot be meant or is not allowed, none has an effect, and the person is told why.
 */
export async function applyPermissionUpdates(session: Session, given: unknown): Promise<void> {
  const checked = await checkedUpdates(session, given);
  if (typeof checked === "string")
    return tell(session, `Permission updates were refused: ${checked}. Nothing was changed.`);
  for (const update of checked) await apply(session, update);
  for (const update of checked) {
    if (update.destination !== "session" && update.destination !== "cliArg") await save(session, update);
  }
}

/** The updates with real paths, or why they are refused. */
async function checkedUpdates(session: Session, given: unknown): Promise<PermissionUpdate[] | string> {
  const read = readUpdates(given);
  if (read.type === "refused") return read.reason;
  const updates: PermissionUpdate[] = [];
  let rules = session.config.appState.get().ruleChanges ?? [];
  try {
    for (const update of read.updates) {
      if (update.type === "setMode") refuseMode(update.mode, session.config.modeRefusals ?? {});
      if ("rules" in update) rules = withUpdate(rules, update);
      updates.push("directories" in update ? await withRealPaths(session, update) : update);
    }
  } catch (error) {
    return messageOf(error).replace(/\.$/, "");
  }
  return countAdded(rules) > MAX_SESSION_RULES ? `a session takes ${MAX_SESSION_RULES} rules` : updates;
}

type DirectoryUpdate = Extract<PermissionUpdate, { directories: unknown }>;

async function withRealPaths({ config }: Session, update: DirectoryUpdate): Promise<DirectoryUpdate> {
  const directories: string[] = [];
  for (const written of update.directories) {
    const path = isAbsolute(written) ? written : resolve(config.appState.get().cwd, written);
    const isThere = (await config.files.stat(path))?.isDirectory === true;
    if (!isThere && update.type === "addDirectories") throw new Error(`there is no directory ${path}`);
    directories.push(await config.files.realPath(path));
  }
  return { ...update, directories };
}

async function apply(session: Session, update: PermissionUpdate): Promise<void> {
  const { appState } = session.config;
  switch (update.type) {
    case "setMode":
      return setMode(session, update.mode);
    case "addDirectories":
    case "removeDirectories":
      appState.set((before) => ({ ...before, directories: changedDirectories(before, update, session.config.cwd) }));
      return record(session, { type: "state", part: DIRECTORIES_PART, value: appState.get().directories });
    default:
      appState.set((before) => ({ ...before, ruleChanges: withUpdate(before.ruleChanges ?? [], update) }));
      return record(session, { type: "state", part: RULES_PART, value: appState.get().ruleChanges });
  }
}

/** The start directory stays. */
function changedDirectories({ directories }: AppState, update: DirectoryUpdate, start: string): readonly string[] {
  if (update.type === "addDirectories") return [...new Set([...directories, ...update.directories])];
  return directories.filter((each) => each === start || !update.directories.includes(each));
}

/** What cannot be saved holds for the session, and the person is told. */
async function save(session: Session, update: PermissionUpdate): Promise<void> {
  try {
    if (session.config.savePermissions === undefined) throw new Error("this session writes no settings");
    for (const note of await session.config.savePermissions(update)) tell(session, note);
  } catch (error) {
    tell(session, `Permissions hold for this session only, they could not be saved: ${messageOf(error)}`);
  }
}

function tell(session: Session, content: string): void {
  session.frames.push(noticeFrame(session, content));
}
