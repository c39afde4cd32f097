import { randomUUID } from "node:crypto";
import type { QueryEngine, SdkMessage } from "@pawl/core";
import { oneLine } from "./print/terminal-text.ts";

/** What background tasks may still take once there is nothing more to do. Milliseconds. */
const TASK_GRACE_MS = 5_000;
/** Longer lists of names are cut. */
const MAX_NAMED = 5;
const MAX_NAME_CHARS = 80;

type Ending = Pick<QueryEngine, "sessionId" | "pending" | "tasksSettled" | "endTasks" | "takeFrames">;

/**
 * When no further turn comes: background tasks get a moment and are then ended, and what was scheduled in this run and does not
 * come is named. Gives the frames that tell of it.
 *
 * @param startedAt of the run. Milliseconds since the epoch.
 * @param hurry ends the wait, and the tasks with it.
 */
export async function* endOfWork(engine: Ending, startedAt: number, hurry: AbortSignal): AsyncGenerator<SdkMessage> {
  const notice = (content: string) => informational(content, engine.sessionId);
  const { tasks } = engine.pending();
  if (tasks.length > 0) {
    yield notice(`waiting for ${count(tasks, "background task")} to end, at most ${TASK_GRACE_MS / 1000} s`);
    await engine.tasksSettled(TASK_GRACE_MS, hurry);
    const { tasks: late } = engine.pending();
    await engine.endTasks();
    if (late.length > 0) yield notice(`ended before it was done: ${count(late, "background task")}`);
  }
  yield* engine.takeFrames();
  const { prompts } = engine.pending();
  const ofThisRun = prompts.filter(({ createdAt }) => createdAt >= startedAt);
  const lost = ofThisRun.filter(({ isKept }) => !isKept).map(({ prompt }) => prompt);
  const kept = ofThisRun.filter(({ isKept }) => isKept).map(({ prompt }) => prompt);
  if (lost.length > 0) yield notice(`will not come, because the session ends here: ${count(lost, "scheduled prompt")}`);
  if (kept.length > 0) {
    const fix = `pawl --resume ${engine.sessionId}`;
    yield notice(`comes only once the session is open again (${fix}): ${count(kept, "scheduled prompt")}`);
  }
}

/** `2 background tasks (Build, Test)` */
function count(names: readonly string[], what: string): string {
  const shown = names.slice(0, MAX_NAMED).map((name) => {
    const line = oneLine(name);
    return line.length > MAX_NAME_CHARS ? `${line.slice(0, MAX_NAME_CHARS).toWellFormed()}…` : line;
  });
  const more = names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more` : "";
  return `${names.length} ${what}${names.length === 1 ? "" : "s"} (${shown.join(", ")}${more})`;
}

const informational = (content: string, sessionId: string): SdkMessage => ({
  ...{ type: "system", subtype: "informational", content, level: "warning" },
  ...{ uuid: randomUUID(), session_id: sessionId },
});
