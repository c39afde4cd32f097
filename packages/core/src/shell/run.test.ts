import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { startChild } from "./child.ts";
import { hasEnded, listProcesses, signalProcess } from "./process-list.ts";
import { type LocalShell, type LocalShellOptions, localShell } from "./run.ts";
import type { ShellRequest, ShellResult } from "./shell.ts";

/** Within this an ended command must have settled. */
const SETTLE_MS = 1_000;

let workspace: TempWorkspace;
let shell: LocalShell;
/** Stands in the environment of all that this test starts, also of what would outlive it. */
let testMarker: string;
let testCount = 0;

beforeEach(async () => {
  workspace = await tempWorkspace();
  testCount += 1;
  testMarker = `test-${process.pid}-${testCount}`;
  shell = shellWith({});
});

afterEach(async () => {
  expect(await living()).toEqual([]);
  await workspace.remove();
});

function shellWith(options: Partial<LocalShellOptions> & { env?: Record<string, string | undefined> }): LocalShell {
  const env = { ...process.env, PAWL_CALL: testMarker, ...options.env };
  return localShell({ shellPath: "/bin/bash", ...options, env });
}

function run(command: string, more: Partial<ShellRequest> = {}, using = shell): Promise<ShellResult> {
  const { signal } = new AbortController();
  return using.run({ command, cwd: workspace.root, timeoutMs: 15_000, signal, maxOutputBytes: 100_000, ...more });
}

/** The commands of ours that run, this test's processes only. */
async function living(): Promise<number[]> {
  const processes = await listProcesses(testMarker);
  return processes.filter((entry) => entry.isMarked && !entry.isZombie).map((entry) => entry.pid);
}

async function untilLiving(count: number): Promise<void> {
  while ((await living()).length < count) await sleep(20);
}

const withoutDuration = ({ durationMs: _, ...result }: ShellResult) => result;

const ended = { killedBy: null, stderr: "", omittedBytes: 0, timedOut: false, aborted: false };

describe("a command that ends by itself", () => {
  test("gives its code, its output and errors apart, and where it stood", async () => {
    const result = await run("mkdir sub; cd sub; echo out; echo err >&2; exit 3");
    expect(withoutDuration(result)).toEqual({
      ...ended,
      exitCode: 3,
      stdout: "out\n",
      stderr: "err\n",
      finalCwd: workspace.path("sub"),
    });
  });

  test.each([
    ["after a failure", "cd sub; false"],
    ["after a syntax error of a later line", "cd sub\n)"],
    ["with errexit", "set -eu; cd sub; false; cd .."],
    ["through a link, resolved", "cd link"],
  ])("says where it stood %s", async (_when, command) => {
    await workspace.write("sub/file", "");
    await symlink(workspace.path("sub"), workspace.path("link"));
    expect((await run(command)).finalCwd).toBe(workspace.path("sub"));
  });

  test("a directory change in a subshell or in the background is not the shell's", async () => {
    expect((await run("(cd /); cd / & wait")).finalCwd).toBe(workspace.root);
  });

  test("descriptor 3 belongs to the command, and it sees no arguments", async () => {
    const result = await run('exec 3>log; echo "$#:$1" >&3; cat log');
    expect(result.stdout).toBe("0:\n");
    expect(result.finalCwd).toBe(workspace.root);
  });

  test("an error of syntax is told with the command's own line", async () => {
    const { exitCode, stderr } = await run("echo a\necho )");
    expect(exitCode).toBe(2);
    expect(stderr).toContain("line 2: syntax error");
    expect(stderr).not.toContain("trap");
  });

  test("late output of a process substitution is not lost", async () => {
    expect((await run("echo text > >(sleep 0.05; cat)")).stdout).toBe("text\n");
  });

  test("knows the variables of a child of ours and not the keys of the model provider", async () => {
    const env = { ANTHROPIC_API_KEY: "secret", ANTHROPIC_AUTH_TOKEN: "secret", OPENAI_API_KEY: "project" };
    const show =
      'echo "$PAWL $CLAUDECODE $CLAUDE_CODE_CHILD_SESSION [$ANTHROPIC_API_KEY$ANTHROPIC_AUTH_TOKEN] $OPENAI_API_KEY $MORE"';
    const hidden = await run(show, { env: { MORE: "more" } }, shellWith({ env }));
    expect(hidden.stdout).toBe("1 1 1 [] project more\n");
    const passed = await run(show, {}, shellWith({ env, passProviderKeys: true }));
    expect(passed.stdout).toBe("1 1 1 [secretsecret] project \n");
  });
});

describe("B23: a command that reads input or asks a person ends at once", () => {
  test.each(["cat", "read x", "sh", "python3 || true", "cat /dev/tty", "read x < /dev/tty", "cat <&2"])(
    "%s",
    async (command) => {
      const { timedOut, durationMs } = await run(command, { timeoutMs: 10_000 });
      expect({ timedOut, isQuick: durationMs < 8_000 }).toEqual({ timedOut: false, isQuick: true });
    },
  );

  test("editors and pagers do nothing", async () => {
    const result = await run('for p in "$EDITOR" "$VISUAL" "$GIT_EDITOR" "$PAGER" "$GIT_PAGER"; do echo x | $p; done', {
      env: {},
    });
    expect(withoutDuration(result)).toEqual({ ...ended, exitCode: 0, stdout: "x\nx\n", finalCwd: workspace.root });
  });

  if (hasGit()) {
    test("git push to a server that wants a password is told that nobody is asked", async () => {
      const server = createServer((_, answer) => {
        answer.writeHead(401, { "www-authenticate": 'Basic realm="git"' }).end();
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      const env = { GIT_TERMINAL_PROMPT: "1", GIT_ASKPASS: "/bin/sh -c 'touch asked'", NO_PROXY: "*", no_proxy: "*" };
      const push =
        "git init -q && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && " +
        `git -c credential.helper= push -q http://127.0.0.1:${port}/a.git HEAD`;

      const { exitCode, timedOut, stderr } = await run(push, {}, shellWith({ env }));

      server.close();
      expect([exitCode, timedOut, existsSync(workspace.path("asked"))], stderr).toEqual([128, false, false]);
      expect(stderr).toContain("terminal prompts disabled");
    });
  }

  test("a password of ssh is asked of nobody, also where a window would open for it", async () => {
    await workspace.write("ask", "#!/bin/sh\ntouch asked\necho secret\n");
    const env = { SSH_ASKPASS: workspace.path("ask"), SSH_ASKPASS_REQUIRE: "force", DISPLAY: ":0" };
    const command = "chmod +x ask; ssh-keygen -q -t ed25519 -N secret -f key && ssh-keygen -y -f key";

    const { exitCode, timedOut } = await run(command, {}, shellWith({ env }));

    expect([exitCode === 0, timedOut, existsSync(workspace.path("asked"))]).toEqual([false, false, false]);
  });

  if (hasGit()) {
    test("git goes on with a rebase without an editor", async () => {
      const setUp =
        "git init -q -b main . && git config user.email a@b && git config user.name a && " +
        "echo 1 > f && git add f && git commit -qm one && git checkout -qb side && echo 2 > f && git commit -qam two && " +
        "git checkout -q main && echo 3 > f && git commit -qam three && git checkout -q side";
      expect((await run(setUp)).exitCode).toBe(0);
      const rebase = await run("git rebase -q main; echo 4 > f; git add f; git rebase --continue; git log --format=%s");
      expect(rebase.stdout.trimEnd().split("\n").slice(-3)).toEqual(["two", "three", "one"]);
    });
  }

  test("the time-out ends a command that is silent", async () => {
    const result = await run("sleep 600", { timeoutMs: 200 });
    expect(withoutDuration(result)).toEqual({
      ...ended,
      exitCode: null,
      killedBy: "SIGTERM",
      stdout: "",
      timedOut: true,
    });
    expect(result.durationMs).toBeLessThan(200 + SETTLE_MS);
  });

  test("the time-out ends a command that never stops writing", async () => {
    const result = await run("yes", { timeoutMs: 200 });
    expect([result.timedOut, result.omittedBytes > 0]).toEqual([true, true]);
    expect(result.durationMs).toBeLessThan(200 + SETTLE_MS);
  });
});

describe("B22: an abort ends the whole tree within a second", () => {
  test.each([
    ["children in the background and the foreground", "sleep 601 & sleep 602", 3],
    ["a child in a session of its own", "setsid sleep 601 & sleep 602", 3],
    ["a child in a session of its own whose parent has ended", "(setsid sleep 601 &) ; sleep 602", 3],
    ["a child that ignores TERM", "(trap '' TERM; sleep 601; sleep 602) & sleep 603", 4],
    [
      "a shell that ignores TERM, with a child in a session that does too",
      "trap '' TERM; setsid sleep 601 & sleep 602; sleep 603",
      3,
    ],
    [
      "a child that forks again when it is told to end",
      "trap 'setsid sleep 601 & sleep 602' TERM; sleep 603 & wait",
      2,
    ],
  ])("%s", async (_what, command, count) => {
    const aborting = new AbortController();
    const call = run(command, { signal: aborting.signal });
    await untilLiving(count);
    const atMs = performance.now();
    aborting.abort();
    const result = await call;
    expect(performance.now() - atMs).toBeLessThan(SETTLE_MS);
    expect([result.aborted, result.timedOut]).toEqual([true, false]);
    expect(await living()).toEqual([]);
  });

  test("a child in a session of its own with an empty environment", async () => {
    const aborting = new AbortController();
    const call = run("setsid env -i /bin/sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 601' & sleep 602", {
      signal: aborting.signal,
    });
    while (!existsSync(workspace.path("pid"))) await sleep(20);
    const pid = Number(await workspace.read("pid"));
    const child = (await listProcesses(testMarker)).find((entry) => entry.pid === pid);
    expect(child && hasEnded(child)).toBe(false);
    aborting.abort();
    await call;
    expect(child && hasEnded(child)).toBe(true);
  });

  const daemon = (outputs: string) =>
    `setsid env -i /bin/sh -c 'echo $$ > pid.new; mv pid.new pid; exec sleep 601' ${outputs} &`;

  test.runIf(process.platform === "linux").each([
    ["that still holds the command's output", `(${daemon("")}) ; sleep 602`],
    ["that was seen before its parent ended", `(${daemon(">/dev/null 2>&1")} sleep 1.5; touch alone) & sleep 602`],
  ])("a daemon that left session, parent and environment, %s", async (_which, command) => {
    const aborting = new AbortController();
    const call = run(command, { signal: aborting.signal });
    const isReady = () =>
      existsSync(workspace.path("pid")) && (!command.includes("alone") || existsSync(workspace.path("alone")));
    while (!isReady()) await sleep(20);
    const pid = Number(await workspace.read("pid"));
    const child = (await listProcesses()).find((entry) => entry.pid === pid);
    expect(child && hasEnded(child)).toBe(false);
    aborting.abort();
    await call;
    expect(child && hasEnded(child)).toBe(true);
  });

  test("output that came before is given", async () => {
    const aborting = new AbortController();
    const call = run("echo before; sleep 600", { signal: aborting.signal });
    await untilLiving(2);
    aborting.abort();
    expect((await call).stdout).toBe("before\n");
  });

  test("an abort before the start starts nothing", async () => {
    const result = await run("touch made", { signal: AbortSignal.abort() });
    expect(withoutDuration(result)).toEqual({ ...ended, aborted: true, exitCode: null, stdout: "" });
    expect((await run("ls")).stdout).toBe("");
  });

  test("closing the shell ends all that runs, and starts nothing more", async () => {
    const calls = [run("sleep 600"), run("setsid sleep 600 & sleep 600")];
    await untilLiving(4);
    await shell.close();
    expect((await Promise.all(calls)).map(({ aborted }) => aborted)).toEqual([true, true]);
    expect(await living()).toEqual([]);
    expect((await run("true")).failure).toBe("The session is ending: nothing is started any more.");
  });
});

describe("what a command leaves running when it ends well", () => {
  test.each([
    "sleep 600 & echo done",
    "sleep 600 >/dev/null 2>&1 & echo done",
    "(trap '' TERM; sleep 600) & echo done",
  ])("is ended with it: %s", async (command) => {
    const result = await run(command);
    expect(withoutDuration(result)).toEqual({
      ...ended,
      exitCode: 0,
      stdout: "done\n",
      finalCwd: workspace.root,
      endedLeftovers: true,
    });
    expect(result.durationMs).toBeLessThan(3_000);
  });

  test("a daemon in a session of its own stays, and the call does not wait for it", async () => {
    const result = await run("setsid sleep 600 & echo done");
    expect(withoutDuration(result)).toEqual({ ...ended, exitCode: 0, stdout: "done\n", finalCwd: workspace.root });
    const daemons = await living();
    expect(daemons).toHaveLength(1);
    for (const pid of daemons) signalProcess(pid, "SIGKILL");
    while ((await living()).length > 0) await sleep(10);
  });
});

describe("output", () => {
  test("200 MB need no more memory than what is kept of them", async () => {
    const before = process.memoryUsage().rss;
    const { stdout, omittedBytes } = await run("head -c 200000000 /dev/zero | tr '\\0' x");
    expect(stdout).toBe(`${"x".repeat(50_000)}\n[... 199900000 bytes left out ...]\n${"x".repeat(50_000)}`);
    expect(omittedBytes).toBe(199_900_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000);
  });

  test("a command that writes beyond all measure is ended", async () => {
    const child = startChild({
      file: "/bin/sh",
      args: ["-c", "yes"],
      cwd: workspace.root,
      env: { ...process.env, PAWL_CALL: testMarker },
      marker: testMarker,
      timeoutMs: 15_000,
      maxOutputBytes: 10,
      keep: "head",
      maxTotalOutputBytes: 1_000_000,
      reportsCwd: false,
    });
    const { exceededOutput, stdout, timedOut } = await child.result;
    expect({ exceededOutput, stdout, timedOut }).toEqual({
      exceededOutput: true,
      stdout: "y\n".repeat(5),
      timedOut: false,
    });
  });
});

describe("what cannot be started is said", () => {
  const failure = async (call: Promise<ShellResult>) => (await call).failure;

  test("a working directory that is gone", async () => {
    await workspace.write("sub/file", "");
    await rm(workspace.path("sub"), { recursive: true });
    const cwd = workspace.path("sub");
    expect(await failure(run("true", { cwd }))).toBe(
      `The working directory ${cwd} does not exist or cannot be entered.`,
    );
  });

  test("a working directory that links lead to without an end", async () => {
    const cwd = workspace.path("cycle");
    await symlink(cwd, cwd);
    expect(await failure(run("true", { cwd }))).toBe(
      `The working directory ${cwd} does not exist or cannot be entered.`,
    );
  });

  test("a shell that is not there", async () => {
    const missing = shellWith({ shellPath: "/nowhere/bash" });
    expect(await failure(run("true", {}, missing))).toBe(
      "The shell /nowhere/bash cannot be run. Set PAWL_SHELL to the path of bash or zsh, or unset it.",
    );
  });

  test("a program that is not there, a command line that is too long, a NUL byte", async () => {
    const { signal } = new AbortController();
    const request = { cwd: workspace.root, timeoutMs: 5_000, signal, maxOutputBytes: 1_000, args: [] };
    expect(await failure(shell.exec({ ...request, file: "no-such-program" }))).toBe(
      "The program no-such-program was not found.",
    );
    expect(await failure(run(`: ${"x".repeat(3_000_000)}`))).toBe(
      "The command line is too long for the system. Put the long part in a file.",
    );
    expect(await failure(run("echo \0"))).toContain("The command line or a variable is not valid");
  });
});

test("a program is run without a shell", async () => {
  const { signal } = new AbortController();
  const result = await shell.exec({
    file: "printf",
    args: ["%s|", "a b", "$x"],
    cwd: workspace.root,
    timeoutMs: 5_000,
    signal,
    maxOutputBytes: 1_000,
  });
  expect(withoutDuration(result)).toEqual({ ...ended, exitCode: 0, stdout: "a b|$x|" });
});

test("without a shell named, the user's is taken if it is bash or zsh, and what bash reads runs in any case", async () => {
  const { signal } = new AbortController();
  for (const SHELL of ["/bin/bash", "/usr/bin/fish", undefined]) {
    const own = localShell({ env: { ...process.env, SHELL } });
    const request = {
      command: "echo $((1 + 1))",
      cwd: workspace.root,
      timeoutMs: 5_000,
      signal,
      maxOutputBytes: 1_000,
    };
    expect((await own.run(request)).stdout).toBe("2\n");
  }
});

function hasGit(): boolean {
  try {
    execFileSync("git", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
