import { parseShell } from "../../shell/analysis/parse-shell.ts";
import { exitMeaning } from "../../shell/exit-meaning.ts";
import type { ShellJob, ShellResult } from "../../shell/shell.ts";
import type { Task, TaskEnd, TaskType } from "../tasks.ts";
import type { ToolContext } from "../tool.ts";

/** Of a background command's output so much is held beside its file. Bytes. */
export const HELD_JOB_BYTES = 4_096;
/** A description made of a command is cut. Characters. */
const MAX_DESCRIPTION_CHARS = 200;

type ShellTask = { id: string; type: TaskType; command: string; description?: string | undefined };

/** Lists a command that goes on beside the calls. */
export function followJob(job: ShellJob, shellTask: ShellTask, { tasks, toolUseId }: ToolContext): Task {
  const { id, type, command } = shellTask;
  const description = (shellTask.description ?? command).slice(0, MAX_DESCRIPTION_CHARS).toWellFormed();
  return tasks.start({
    id,
    type,
    description,
    command,
    toolUseId,
    outputFile: job.outputPath,
    tail: job.tail,
    ended: job.result.then((result) => endOf(result, command, `${titles[type]} "${description}"`)),
    stop: job.stop,
  });
}

const titles: Readonly<Record<TaskType, string>> = {
  local_bash: "Background command",
  monitor: "Monitor",
  local_agent: "Agent",
};

function endOf(result: ShellResult, command: string, title: string): TaskEnd {
  const { exitCode, killedBy } = result;
  const isGood = exitCode === 0 || (exitCode !== null && exitMeaning(command, exitCode, result.stderr) !== undefined);
  const note = notesOn(result);
  return {
    status: result.aborted ? "stopped" : isGood && !isCut(result) ? "completed" : "failed",
    summary: `${title} ${whatBecame(result, isGood)}`,
    ...(exitCode === null ? {} : { exitCode }),
    ...(note === "" ? {} : { note }),
  };

  function whatBecame({ aborted, timedOut, exceededOutput }: ShellResult, isCompleted: boolean): string {
    if (aborted) return "was stopped";
    if (timedOut) return "was ended because its time was over";
    if (exceededOutput === true) return "was ended because it wrote far too much";
    if (exitCode === null) return `was ended by ${killedBy ?? "a signal"}`;
    return isCompleted ? `completed (exit code ${exitCode})` : `failed with exit code ${exitCode}`;
  }
}

const isCut = ({ timedOut, exceededOutput }: ShellResult) => timedOut || exceededOutput === true;

function notesOn({ isOutputCut, outputFailure, endedLeftovers }: ShellResult): string {
  const notes = [
    isOutputCut === true ? "It wrote much: the file has the beginning and the end of its output." : undefined,
    outputFailure,
    endedLeftovers === true ? "Processes that it had left running were ended with it." : undefined,
  ];
  return notes.filter((note) => note !== undefined).join(" ");
}

/** Whether a command that takes too long goes on in the background: not one that only waits, and none that nobody may see. */
export function mayMoveToBackground(command: string): boolean {
  if (/^\s*sleep\b/.test(command) || /\bgit\b/.test(command)) return false;
  const script = parseShell(command);
  return !("failure" in script) && (script.errors ?? []).length === 0;
}
