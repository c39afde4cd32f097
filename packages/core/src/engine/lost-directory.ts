import { PawlError } from "../lib/error.ts";
import type { ToolOutcome } from "../tools/tool.ts";
import { userLine } from "./input.ts";
import type { Session } from "./session.ts";

/** What becomes of a turn whose working directory is removed, such as by a command or by a change of branch. */
export type LostDirectory = {
  /**
   * Before a request: from a directory that is gone the session goes back to the one it began in.
   *
   * @throws PawlError `cwd_missing` when that is gone, too.
   */
  leave(): Promise<void>;
  /** Before a call: why it does not run. Its relative paths would mean others after the way back. */
  refusal(): Promise<ToolOutcome | undefined>;
};

export function lostDirectory({ config, queue }: Session): LostDirectory {
  const { appState, files, clock } = config;
  let told: string | undefined;
  const isThere = async (path: string) => (await files.stat(path))?.isDirectory === true;

  /** Undefined while the directory is there; `start` is where to go back to. */
  async function loss(): Promise<{ cwd: string; start?: string } | undefined> {
    const { cwd, directories } = appState.get();
    if (await isThere(cwd)) return undefined;
    const [start] = directories;
    return start !== undefined && start !== cwd && (await isThere(start)) ? { cwd, start } : { cwd };
  }

  return {
    async leave() {
      const lost = await loss();
      if (lost === undefined) return;
      const { cwd, start } = lost;
      if (start === undefined) throw new PawlError("cwd_missing", ended(cwd));
      appState.set((before) => ({ ...before, cwd: start }));
      const text = `<system-reminder>${movedBack(cwd, start)}</system-reminder>`;
      if (told !== cwd) queue.push(userLine(clock.uuid(), [{ type: "text", text }], true));
    },
    async refusal() {
      const lost = await loss();
      if (lost === undefined) return undefined;
      const { cwd, start } = lost;
      if (start === undefined) return { type: "session_broken", message: ended(cwd) };
      told = cwd;
      return { type: "failed", message: `Nothing was run. ${movedBack(cwd, start)}` };
    },
  };
}

const movedBack = (cwd: string, start: string) =>
  `The working directory ${cwd} is gone: the session is back in ${start}, where relative paths begin from now on.`;

/** A session without any directory can do nothing right, and a tool would make it anew with one file in it: the turn ends. */
const ended = (cwd: string) => `The working directory ${cwd} is gone: put it back, or start in another one.`;
