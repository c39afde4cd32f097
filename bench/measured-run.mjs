// Runs one program to its end and says what it cost.
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readFileSync } from "node:fs";
import { nowMs } from "./clock.mjs";

const MAX_RUN_MS = 120_000;
const MEMORY_POLL_MS = 10;
const CPU_TICK_MS = 10; // a clock tick in /proc is 1/100 s on every Linux

/** CPU time and memory are read from /proc. */
export const canMeasureProcesses = existsSync("/proc/self/stat");

let running;

/** Ends the program that is being measured, with all of its process group. */
export function endMeasuredRun() {
  if (running !== undefined) killGroup(running.pid);
}

/**
 * CPU is user and system time of the process and all children that were waited for; memory is the peak of the process
 * itself. Both are `undefined` where there is no /proc.
 */
export async function measuredRun(argv, { cwd, env, stderrPath }) {
  const stderr = openSync(stderrPath, "w");
  const cpuBefore = cpuOfEndedChildrenMs();
  const startMs = nowMs();
  running = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ["ignore", "ignore", stderr], detached: true });
  const peak = watchPeakMb(running.pid);
  const deadline = setTimeout(endMeasuredRun, MAX_RUN_MS);
  try {
    const end = await ending(running);
    return {
      ...end,
      startMs,
      cpuMs: cpuBefore === undefined ? undefined : cpuOfEndedChildrenMs() - cpuBefore,
      peakMb: peak.stop(),
    };
  } finally {
    clearTimeout(deadline);
    peak.stop();
    endMeasuredRun(); // what it may have left behind
    running = undefined;
    closeSync(stderr);
  }
}

const ending = (child) =>
  new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve({ endMs: nowMs(), ending: signal ?? code }));
  });

function killGroup(pid) {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (error.code !== "ESRCH") throw error; // the group has ended
  }
}

function cpuOfEndedChildrenMs() {
  if (!canMeasureProcesses) return undefined;
  const fields = afterName(readFileSync("/proc/self/stat", "utf8"));
  const [cutime, cstime] = fields.slice(13, 15).map(Number);
  return (cutime + cstime) * CPU_TICK_MS;
}

/** The fields after `pid (name)`; a name may have blanks in it. */
const afterName = (stat) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");

function watchPeakMb(pid) {
  let peakMb;
  const look = () => {
    peakMb = peakOfMb(pid) ?? peakMb;
  };
  const timer = canMeasureProcesses ? setInterval(look, MEMORY_POLL_MS) : undefined;
  return {
    stop() {
      clearInterval(timer);
      return peakMb;
    },
  };
}

/** The kernel keeps the peak itself, so what is missed is only the growth since the last look. */
function peakOfMb(pid) {
  try {
    const kilobytes = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
  } catch (error) {
    if (error.code === "ENOENT" || error.code === "ESRCH") return undefined; // ended
    throw error;
  }
}
