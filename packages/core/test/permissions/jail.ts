import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstat, mkdtemp, readdir, readFile, readlink, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { childEnvironment } from "../../src/shell/child-env.ts";

const COMMAND_TIMEOUT_MS = 20_000;

const watched =
  "execve,execveat,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,link,linkat,symlink," +
  "symlinkat,truncate,ftruncate,chmod,fchmod,fchmodat,utimensat,mknod,mknodat";

/** What a command did, as the system saw it. */
type Trace = { programs: string[]; writes: string[] };

/** Whether system calls can be watched here. */
export const canTrace = (): boolean =>
  spawnSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", "true"]).status === 0;

/** Runs a command with bash and tells which programs were started and which files opened for writing or changed. */
export async function traceCommand(line: string, cwd: string, home: string): Promise<Trace> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-trace-"));
  const log = join(folder, "log");
  // With --seccomp-bpf only the watched calls stop the program: several times faster.
  const options = ["-f", "--seccomp-bpf", "-qq", "-s", "300", "-e", `trace=${watched}`, "-o", log];
  spawnSync("strace", [...options, "bash", "-c", line], {
    cwd,
    env: jailEnvironment(home),
    input: "",
    timeout: COMMAND_TIMEOUT_MS,
  });
  const lines = (await readFile(log, "utf8")).split("\n");
  await rm(folder, { recursive: true });
  return readTrace(lines);
}

/** Runs a command without watching it. */
export function runCommand(line: string, cwd: string, home: string): void {
  spawnSync("bash", ["-c", line], { cwd, env: jailEnvironment(home), input: "", timeout: COMMAND_TIMEOUT_MS });
}

const jailEnvironment = (home: string) => ({
  ...childEnvironment({ PATH: process.env["PATH"], HOME: home, LANG: "C.UTF-8" }, false),
  GIT_OPTIONAL_LOCKS: "0",
});

function readTrace(lines: readonly string[]): Trace {
  const programs: string[] = [];
  const writes: string[] = [];
  for (const line of lines) {
    const [, call = "", rest = ""] = /^\d+\s+(\w+)\((.*)$/.exec(line) ?? [];
    if (call === "" || / = -1 E/.test(rest)) continue;
    const path = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? "";
    if (call.startsWith("exec")) programs.push(basename(path));
    else if (!/^open/.test(call) || /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/.test(rest)) {
      if (!/^\/dev\//.test(path)) writes.push(`${call} ${path}`);
    }
  }
  return { programs: programs.slice(1), writes }; // the first is the shell
}

/** One line for each thing in a folder: what it is, its mode, its contents. */
export async function treeState(folder: string): Promise<string> {
  const lines: string[] = [];
  const visit = async (path: string): Promise<void> => {
    const stats = await lstat(path);
    const kind = stats.isDirectory() ? "folder" : stats.isSymbolicLink() ? "link" : "file";
    const content = kind === "folder" ? "" : kind === "link" ? await readlink(path) : await hashOf(path);
    lines.push(`${path.slice(folder.length)} ${kind} ${stats.mode.toString(8)} ${content}`);
    if (kind === "folder") for (const name of (await readdir(path)).sort()) await visit(join(path, name));
  };
  await visit(folder);
  return lines.join("\n");
}

const hashOf = async (path: string) =>
  createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
