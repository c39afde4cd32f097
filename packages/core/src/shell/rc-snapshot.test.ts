import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { listProcesses } from "./process-list.ts";
import { type LocalShell, type LocalShellOptions, localShell } from "./run.ts";
import type { ShellResult } from "./shell.ts";

let workspace: TempWorkspace;
let shell: LocalShell;
let testCount = 0;
let testMarker: string;

beforeEach(async () => {
  workspace = await tempWorkspace();
  testCount += 1;
  testMarker = `rc-test-${process.pid}-${testCount}`;
});

afterEach(async () => {
  await shell.close();
  expect((await listProcesses(testMarker)).filter((entry) => entry.isMarked && !entry.isZombie)).toEqual([]);
  await workspace.remove();
});

function use(more: Partial<LocalShellOptions> & { env?: Record<string, string | undefined> } = {}): void {
  const env = { PATH: process.env["PATH"], HOME: workspace.root, PAWL_CALL: testMarker, ...more.env };
  shell = localShell({ shellPath: "/bin/bash", stateFolder: workspace.path("state"), ...more, env });
}

function run(command: string, { signal } = new AbortController()): Promise<ShellResult> {
  const request = { cwd: workspace.root, timeoutMs: 15_000, signal, maxOutputBytes: 100_000 };
  return shell.run({ ...request, command, startup: "rc" });
}

const RC = `
case $- in *i*) ;; *) return ;; esac
echo ran >> "$HOME/count"
alias hi='echo hello'
greet() { echo "greetings, $1"; }
pwd() { echo not here; }
export PATH="$PATH:/own/bin"
set -o noclobber
`;

const zshPath = "/usr/bin/zsh";
const shells = [
  ["bash", "/bin/bash", ".bashrc"],
  ...(existsSync(zshPath) ? [["zsh", zshPath, ".zshrc"] as const] : []),
] as const;

describe.each(shells)("what the rc file of %s defines", (_name, shellPath, rc) => {
  test("is there in every command, and the file is run once", async () => {
    await workspace.write(rc, `${RC}\n${rc === ".bashrc" ? "shopt -s extglob" : "setopt extendedglob"}\n`);
    use({ shellPath });
    expect((await run("hi; greet you")).stdout).toBe("hello\ngreetings, you\n");
    expect((await run("echo $PATH | grep -c /own/bin")).stdout).toBe("1\n");
    const glob = rc === ".bashrc" ? "ls -d !(state|count|x)" : "ls -d ^(state|count|x)(D)";
    expect((await run(glob)).stdout).toContain(rc === ".bashrc" ? "" : ".zshrc");
    const moved = await run("mkdir sub; cd sub; echo a > x; echo b > x");
    expect(moved.finalCwd).toBe(workspace.path("sub"));
    expect(moved.stderr).toMatch(/exist/);
    expect(await workspace.read("count")).toBe("ran\n");
  });

  test("is not there in a bare shell, nor does anything run before the first command", async () => {
    await workspace.write(rc, RC);
    use({ shellPath });
    const { signal } = new AbortController();
    const bare = await shell.run({
      command: "hi",
      cwd: workspace.root,
      timeoutMs: 15_000,
      signal,
      maxOutputBytes: 1_000,
    });
    expect(bare.exitCode).toBe(127);
    expect(existsSync(workspace.path("count"))).toBe(false);
  });

  test("is done without when the file hangs, and that is told once", async () => {
    await workspace.write(rc, "alias hi='echo hello'\nsetsid sleep 600 & sleep 601\n");
    use({ shellPath, rcTimeoutMs: 500 });
    const first = await run("echo ok");
    expect(first.stdout).toBe("ok\n");
    expect(first.notice).toBe(
      `${workspace.path(rc)} did not end within 0.5 s: commands run without its aliases, functions and PATH.`,
    );
    expect((await run("echo ok")).notice).toBeUndefined();
  });

  test("is not waited for by a call that is aborted", async () => {
    await workspace.write(rc, "touch here\nsleep 600\n");
    use({ shellPath, rcTimeoutMs: 60_000 });
    const controller = new AbortController();
    const running = run("echo ok", controller);
    while (!existsSync(workspace.path("here"))) await sleep(20);
    controller.abort();
    expect(await running).toMatchObject({ aborted: true, stdout: "" });
  });
});

test("an rc file that ends the shell, or fails, is done without, or kept as far as it came", async () => {
  await workspace.write(".bashrc", "alias hi='echo hello'\nexit 3\n");
  use();
  expect((await run("echo ok")).notice).toContain("could not be run to its end");
  await shell.close();
  await workspace.write(".bashrc", "alias hi='echo hello'\nno-such-program\nfalse\n");
  use();
  expect(await run("hi")).toMatchObject({ stdout: "hello\n", exitCode: 0 });
});

test("what is wrong with the rc file is told by the first command, also when a job came before it", async () => {
  await workspace.write(".bashrc", "exit 3\n");
  use();
  const job = { cwd: workspace.root, timeoutMs: 15_000, maxOutputBytes: 1_000, outputName: "job" };
  expect(await shell.start({ ...job, command: "true", startup: "rc" })).not.toHaveProperty("failure");
  expect((await run("echo ok")).notice).toContain("could not be run to its end");
});

test("functions that the environment carries do not reach commands", async () => {
  use({ env: { "BASH_FUNC_ls%%": "() { echo not ls; }", BASH_ENV: workspace.path("evil") } });
  await workspace.write("evil", "echo evil\n");
  expect((await run("ls -d .; type -t ls")).stdout).toBe(".\nfile\n");
});

test("the environment file is run before each command, in its shell, as it is then", async () => {
  use({ env: { CLAUDE_ENV_FILE: workspace.path("env.sh") } });
  expect((await run("echo [$STAGE]")).stdout).toBe("[]\n");
  await workspace.write("env.sh", "export STAGE=one\n");
  expect((await run("echo [$STAGE] $#")).stdout).toBe("[one] 0\n");
  await workspace.write("env.sh", "STAGE=two\n");
  expect((await run("echo [$STAGE]")).stdout).toBe("[two]\n");
});
