import { readFileSync } from "node:fs";

/** Whether a process runs. One that has ended but that its parent has not asked about yet has ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // there is no such process
  }
}
