import { spawn } from "node:child_process";

const REDRAW_MS = 200;
const HEARTBEAT_MS = 10_000;
const MAX_KEPT_CHARS = 20_000;

/** Shows `work` as one line with its time on stderr. On a terminal the line counts; elsewhere it says now and then that it still runs. */
export async function step(name, work) {
  const started = Date.now();
  const elapsed = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
  const { isTTY } = process.stderr;
  const show = () => process.stderr.write(isTTY ? `\r\x1b[2K${name} … ${elapsed()}` : `${name} … ${elapsed()}\n`);
  show();
  const timer = setInterval(show, isTTY ? REDRAW_MS : HEARTBEAT_MS);
  try {
    const result = await work();
    process.stderr.write(`${isTTY ? "\r\x1b[2K" : ""}${name}: done in ${elapsed()}\n`);
    return result;
  } catch (error) {
    process.stderr.write(`${isTTY ? "\r\x1b[2K" : ""}${name}: failed after ${elapsed()}\n`);
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** A program that ended badly, with the end of what it said. */
export class ProgramFailed extends Error {
  constructor(message, output) {
    super(message);
    this.output = output;
  }
}

/** Runs a program to its end, its output kept for the case that it fails. */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options });
    let output = "";
    const keep = (chunk) => {
      output = (output + chunk).slice(-MAX_KEPT_CHARS);
    };
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else reject(new ProgramFailed(`${[program, ...args].join(" ")} ended with ${signal || `code ${code}`}`, output));
    });
  });
}

/** For the end of a script: what went wrong, without our own stack. */
export function fail(error) {
  if (error.output) process.stderr.write(`${error.output.trimEnd()}\n`);
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
