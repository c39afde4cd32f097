import { mkdtemp, readFile, rmdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type ToolSession, toolSession } from "../../../test/support/tool-session.ts";
import { listProcesses } from "../../shell/process-list.ts";
import { type TempWorkspace, tempWorkspace } from "../../testing/temp-workspace.ts";
import { type BashOptions, createBashTool } from "./bash.ts";

let workspace: TempWorkspace;
let session: ToolSession;
let testCount = 0;
let testMarker: string;

beforeEach(async () => {
  workspace = await tempWorkspace();
  testCount += 1;
  testMarker = `bash-test-${process.pid}-${testCount}`;
  session = toolSession(workspace.root, { env: { PAWL_CALL: testMarker } });
});

afterEach(async () => {
  await session.close();
  expect(await living()).toEqual([]);
  await workspace.remove();
});

type Input = { command: string; timeout?: number; description?: string; run_in_background?: boolean };

const bash = (input: string | Input, options: BashOptions = {}) =>
  createBashTool(options).run(typeof input === "string" ? { command: input } : input, session.context);

async function living(): Promise<number[]> {
  const processes = await listProcesses(testMarker);
  return processes.filter((entry) => entry.isMarked && !entry.isZombie).map((entry) => entry.pid);
}

const structured = { stdout: "", stderr: "", interrupted: false };

describe("a command that succeeds", () => {
  test("gives its output, and its errors after it", async () => {
    expect(await bash("echo out; echo err >&2")).toEqual({
      content: "out\nerr",
      structured: { ...structured, stdout: "out\n", stderr: "err\n" },
    });
  });

  test("says so when it writes nothing", async () => {
    expect(await bash("true")).toEqual({ content: "(Bash completed with no output)", structured });
  });

  test("is not failed by the exit code 1 that is its answer", async () => {
    await workspace.write("file", "text\n");
    expect(await bash("grep nothing file")).toEqual({
      content: "No matches found",
      structured: { ...structured, returnCodeInterpretation: "No matches found" },
    });
  });

  test("with a long output has it stored whole; the model gets size, path, head and tail", async () => {
    const result = await bash("seq 1 10000");
    const whole = Array.from({ length: 10_000 }, (_, index) => `${index + 1}`).join("\n");
    expect([...session.stored]).toEqual([["/stored/toolu_1.txt", whole]]);
    expect(result.content).toContain(`(${whole.length} characters). All of it is in /stored/toolu_1.txt`);
    expect(result.content).toMatch(/\n1\n2\n3\n[\s\S]*\n9999\n10000$/);
    expect(result.content.length).toBeLessThan(5_000);
    expect(result.structured).toMatchObject({
      persistedOutputPath: "/stored/toolu_1.txt",
      persistedOutputSize: whole.length,
    });
    expect(JSON.stringify(result.structured).length).toBeLessThan(50_000);
  });

  test("B8: gives well-formed text when the output is not UTF-8 or is cut in an emoji", async () => {
    const { content } = await bash("printf '\\377'; for i in $(seq 1000); do printf '😀'; done", {
      maxOutputChars: 100,
    });
    expect(typeof content === "string" && content.isWellFormed()).toBe(true);
  });
});

describe("a command that writes very much", () => {
  /** Bytes. The long form is a whole gigabyte. */
  const much = process.env["PAWL_LONG"] === "1" ? 1_000_000_000 : 100_000_000;
  const MAX_GROWTH_BYTES = 120_000_000;

  test.each([
    ["in lines", `yes 'a line of output' | head -c ${much}`, "a line of output"],
    ["in one line of 50 MB", "head -c 52428800 /dev/zero | tr '\\0' x", "xxx"],
  ])(
    "%s has it in a bounded file, and needs bounded memory",
    async (_how, command, beginning) => {
      const before = process.memoryUsage().rss;
      const result = await bash({ command, timeout: 300_000 });
      expect(process.memoryUsage().rss - before).toBeLessThan(MAX_GROWTH_BYTES);
      const { persistedOutputPath = "", persistedOutputSize } = result.structured as {
        persistedOutputPath?: string;
        persistedOutputSize: number;
      };
      const isCut = persistedOutputSize > 64 * 1024 ** 2;
      const where = `(${persistedOutputSize} bytes). ${isCut ? "Its beginning and its end are" : "It is"} in`;
      expect(result.content).toContain(`${where} ${persistedOutputPath}`);
      expect(result.content.length).toBeLessThan(6_000);
      expect((await stat(persistedOutputPath)).size).toBeLessThanOrEqual(64 * 1024 ** 2);
      expect((await readFile(persistedOutputPath, "utf8")).startsWith(beginning)).toBe(true);
    },
    300_000,
  );

  test("100,000 updates of one line are the last of them; colours are not shown", async () => {
    const command = "seq -f '\x1b[32m%.0f of 100000\x1b[0m' 1 100000 | tr '\\n' '\\r'; echo; echo done";
    expect((await bash(command.replaceAll("\\033", "\u001b"))).content).toBe("100000 of 100000\ndone");
  });

  test("and fails shows its ends, and says where all of it is", async () => {
    const { content } = await bash("yes 'a line of output' | head -c 5000000; exit 3");
    expect(content).toMatch(/^Exit code 3\na line of output\n.*All of the output is in \/.*\.output\.$/s);
    expect(content.length).toBeLessThan(10_500);
  });
});

test("a picture that a command writes as a data URL is shown", async () => {
  expect(await bash("echo 'data:image/png;base64,iVBORw0KGgo='")).toEqual({
    content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }],
    structured: { ...structured, isImage: true },
  });
});

test("B27: a path of Windows reaches a program as it was written, and the model is told which shell reads it", async () => {
  expect((await bash("printf '%s\\n' 'C:\\new\\table' '\\\\host\\share'")).content).toBe(
    "C:\\new\\table\n\\\\host\\share",
  );
  expect(createBashTool({ shell: "/usr/bin/zsh" }).description).toMatch(/^Runs a command line in zsh /);
});

test("B27: a redirection to nul makes no file", async () => {
  expect((await bash("echo gone >nul; echo err >&2 2>NUL; ls")).content).not.toContain("nul");
});

describe("a command that fails", () => {
  test("begins with its exit code", async () => {
    expect(await bash("echo out; echo err >&2; exit 3")).toEqual({
      content: "Exit code 3\nout\nerr",
      isError: true,
      structured: "Error: Exit code 3\nout\nerr",
    });
  });

  test("shows both ends of a long output", async () => {
    const { content } = await bash("seq 1 10000; exit 1");
    expect(content).toMatch(/^Exit code 1\n1\n2\n[\s\S]*characters left out[\s\S]*\n10000$/);
    expect(content.length).toBeLessThan(10_200);
  });

  test("is given the code of a shell when a signal ended it", async () => {
    expect((await bash("kill -KILL $$")).content).toBe("Exit code 137");
  });
});

describe("a command that takes too long", () => {
  test("goes on in the background: the result has its id and the file that its output goes to, also what came before", async () => {
    const { content, isError, structured } = await bash({ command: "echo begun; sleep 2; echo done", timeout: 500 });
    const [task] = session.context.tasks.list();
    expect(isError).toBeUndefined();
    expect(content).toBe(
      `Command did not complete within its 0.5s timeout and was moved to the background with ID: ${task?.id}. ` +
        `Output is being written to: ${task?.outputFile}. You are told when it ends; TaskStop ends it now.`,
    );
    expect(structured).toMatchObject({ backgroundTaskId: task?.id, timedOutAfterMs: 500, interrupted: false });
    const ended = await session.context.tasks.wait(task?.id ?? "", 15_000, session.context.signal);
    expect(ended?.end).toMatchObject({ status: "completed", exitCode: 0 });
    expect(await readFile(task?.outputFile ?? "", "utf8")).toBe("begun\ndone\n");
  });

  test.each([
    ["sleeps", "sleep 600"],
    ["is about git", "echo begun; git log & sleep 600"],
    ["cannot be parsed", "sh -c 'sleep 600' ; if"],
  ])("is ended with all it started when it %s", async (_why, command) => {
    const { content } = await bash({ command, timeout: 300 });
    expect(content).toMatch(/^Exit code \d+\n/);
    expect(session.context.tasks.list()).toEqual([]);
  });

  test("is ended when nothing may run in the background, and the result says after how long and what to do", async () => {
    const command = "echo begun; setsid sleep 600 & sleep 600";
    const { content, isError } = await bash({ command, timeout: 1_500 }, { noBackground: true });
    expect(isError).toBe(true);
    expect(content).toMatch(/^Exit code 143\nbegun\nThe command did not end within 1\.5 s and was ended .*set timeout/);
  });

  test("cannot ask for more than the most", async () => {
    const { content } = await bash(
      { command: "sleep 600", timeout: 60_000 },
      { defaultTimeoutMs: 100, maxTimeoutMs: 200 },
    );
    expect(content).toContain("did not end within 0.2 s");
  });

  test("in the background is ended in the end, with all it started", async () => {
    await bash(
      { command: "echo begun; setsid sleep 600 & sleep 600", timeout: 200 },
      { defaultBackgroundTimeoutMs: 300 },
    );
    const [task] = session.context.tasks.list();
    const ended = await session.context.tasks.wait(task?.id ?? "", 15_000, session.context.signal);
    expect(ended?.end).toMatchObject({ status: "failed", summary: expect.stringContaining("its time was over") });
  });
});

test("B21: an abort while a command runs reaches it, and the result says that it was interrupted", async () => {
  const call = bash("echo begun; sleep 5; touch finished");
  while ((await living()).length < 2) await sleep(20);
  const atMs = performance.now();
  session.abort();
  expect(await call).toEqual({
    content: "The command was interrupted before it had ended.\nbegun\n",
    isError: true,
    structured: { stdout: "begun\n", stderr: "", interrupted: true },
  });
  expect(performance.now() - atMs).toBeLessThan(1_000);
  expect(await living()).toEqual([]);
});

describe("B23: a command that wants input is told its non-interactive form", () => {
  test.each([
    "cat",
    "read x",
    "read x < /dev/tty",
    `node -e 'console.error("a terminal is required"); process.exit(1)'`,
    "select x in a b; do echo $x; done",
    "passwd",
    "vi x",
    "npm init",
  ])("%s", async (command) => {
    expect((await bash(command)).content).toContain("Use its non-interactive form");
  });

  test.each([
    ["cat /dev/null; false", "Exit code 1"],
    ["vi --version > /dev/null", "(Bash completed with no output)"],
    ["echo select x in a", "select x in a"],
  ])("and one that does not is not: %s", async (command, content) => {
    expect((await bash(command)).content).toBe(content);
  });
});

describe("the working directory", () => {
  test("carries over inside the project, also after a failure", async () => {
    await workspace.write("sub/file", "");
    await bash("cd sub && false");
    expect(session.cwd()).toBe(workspace.path("sub"));
  });

  test("is set back when the command left the project", async () => {
    expect((await bash("cd / && echo there")).content).toBe(`there\nShell cwd was reset to ${workspace.root}`);
    expect(session.cwd()).toBe(workspace.root);
  });

  test("is not that of a folder beside the project with the same beginning", async () => {
    const beside = await mkdtemp(`${workspace.root}-`);
    const { content } = await bash(`cd ${beside} && echo there`);
    await rmdir(beside);
    expect(content).toBe(`there\nShell cwd was reset to ${workspace.root}`);
  });

  test("is the project's for every command when that is asked for", async () => {
    await workspace.write("sub/file", "");
    expect((await bash("cd sub && pwd", { keepsStartCwd: true })).content).toBe(
      `${workspace.path("sub")}\nShell cwd was reset to ${workspace.root}`,
    );
    expect(session.cwd()).toBe(workspace.root);
  });

  test("that the command itself has removed is set back to the project's", async () => {
    await workspace.write("sub/file", "");
    session = toolSession(workspace.root, { cwd: workspace.path("sub") });
    expect((await bash("rm -r ../sub; echo done")).content).toBe(`done\nShell cwd was reset to ${workspace.root}`);
    expect(session.cwd()).toBe(workspace.root);
  });

  test("that is gone is set back to the project's", async () => {
    const gone = workspace.path("gone");
    session = toolSession(workspace.root, { cwd: gone });
    expect(await bash("pwd")).toMatchObject({
      content: `The working directory ${gone} does not exist or cannot be entered.\nShell cwd was reset to ${workspace.root}`,
      isError: true,
    });
    expect(session.cwd()).toBe(workspace.root);
  });
});

test("what a command leaves running is ended, and the model is told", async () => {
  expect((await bash("sleep 600 & echo started")).content).toBe(
    "started\nProcesses that the command had left running in the background were ended with it.",
  );
});

describe("a command in the background", () => {
  const background = async (command: string, more: Partial<Input> = {}) => {
    const result = await bash({ command, run_in_background: true, ...more });
    const task = session.context.tasks.list().at(-1);
    if (task?.outputFile === undefined) throw new Error("no task");
    return { result, task, outputFile: task.outputFile };
  };
  const end = (id: string) => session.context.tasks.wait(id, 15_000, session.context.signal);

  test("is begun and not waited for; its output grows in a file, and what became of it is told", async () => {
    const { result, task, outputFile } = await background("echo begun; sleep 1; echo err >&2; exit 3", {
      description: "Build it",
    });
    expect(result.content).toBe(
      `Command running in background with ID: ${task.id}. Output is being written to: ${outputFile}. You are told when it ends.`,
    );
    expect(result.structured).toMatchObject({ backgroundTaskId: task.id, persistedOutputPath: outputFile });
    while (!(await readFile(outputFile, "utf8").catch(() => "")).includes("begun")) await sleep(20);
    expect(session.context.tasks.get(task.id)?.status).toBe("running");
    expect(await end(task.id)).toMatchObject({
      status: "failed",
      end: { exitCode: 3, summary: 'Background command "Build it" failed with exit code 3' },
    });
    expect(await readFile(outputFile, "utf8")).toBe("begun\nerr\n");
  });

  test("does not move the session, and outlives the end of its call's turn", async () => {
    const { task } = await background("cd /; sleep 1; true");
    session.abort();
    await sleep(100);
    expect(session.context.tasks.get(task.id)?.status).toBe("running");
    const ended = await session.context.tasks.wait(task.id, 15_000, new AbortController().signal);
    expect(ended?.status).toBe("completed");
    expect(session.cwd()).toBe(workspace.root);
  });

  test("is stopped with all that it has started", async () => {
    const { task } = await background("trap '' TERM; setsid sleep 600 & sleep 601");
    while ((await living()).length < 3) await sleep(20);
    expect(await session.context.tasks.stop(task.id)).toMatchObject({
      status: "stopped",
      end: { summary: expect.stringContaining("was stopped") },
    });
    expect(await living()).toEqual([]);
  });

  test("ends with the session", async () => {
    await background("setsid sleep 600 & sleep 601");
    while ((await living()).length < 3) await sleep(20);
    await session.close();
    expect(await living()).toEqual([]);
  });

  test("B25: that floods keeps the beginning and the end of its output in a bounded file, and is ended in the end", async () => {
    session = toolSession(workspace.root, {
      env: { PAWL_CALL: testMarker },
      shell: { maxLogBytes: 100_000, maxTotalOutputBytes: 3_000_000 },
    });
    const { task, outputFile } = await background("seq 1 100000000");
    expect(await end(task.id)).toMatchObject({
      status: "failed",
      end: {
        summary: expect.stringContaining("far too much"),
        note: expect.stringContaining("beginning and the end of its output"),
      },
    });
    const text = await readFile(outputFile, "utf8");
    expect(text.length).toBeLessThanOrEqual(100_000);
    expect(text).toMatch(/^1\n2\n3\n[\d\n]*\n\[\.\.\. \d+ bytes left out \.\.\.\]\n\d+\n/);
  });

  test("B25: that reads the folder of its own output comes to an end", async () => {
    session = toolSession(workspace.root, { env: { PAWL_CALL: testMarker }, shell: { maxLogBytes: 200_000 } });
    const first = await background("seq 1 5000");
    await end(first.task.id);
    const { task, outputFile } = await background(`cat ${dirname(first.outputFile)}/*; echo read`);
    expect((await end(task.id))?.status).toBe("completed");
    expect((await readFile(outputFile, "utf8")).length).toBeLessThanOrEqual(200_000);
  });

  test("runs in the foreground when nothing may run in the background", async () => {
    const input = { command: "echo here", run_in_background: true };
    expect((await bash(input, { noBackground: true })).content).toBe("here");
  });
});

test("only what surely changes nothing is read-only and runs beside others; a failure cancels what follows", () => {
  const tool = createBashTool();
  const of = (command: string) => [tool.isReadOnly({ command }), tool.isConcurrencySafe({ command })];
  expect([of("ls -la"), of("ls > x"), of("npm test")]).toEqual([
    [true, true],
    [false, false],
    [false, false],
  ]);
  expect(tool.touches({ command: "npm test" })).toEqual([{ type: "command", command: "npm test" }]);
  expect(tool.failureCancelsSiblings).toBe(true);
});

test("input that does not fit is told in the public wording", () => {
  expect(createBashTool().parse({ timeout: "5", cmd: "ls" })).toEqual({
    ok: false,
    issues: [
      "The required parameter `command` is missing",
      "An unexpected parameter `cmd` was provided",
      "The parameter `timeout` type is expected as `number` but provided as `string`",
    ],
  });
});
