import { mkdtemp, rmdir } from "node:fs/promises";
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
  expect(await living()).toEqual([]);
  await workspace.remove();
});

type Input = { command: string; timeout?: number; run_in_background?: boolean };

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
  test("is ended with all it started, and the result says after how long and what to do", async () => {
    const { content, isError } = await bash({ command: "echo begun; setsid sleep 600 & sleep 600", timeout: 1_500 });
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
  ])("%s", async (command) => {
    expect((await bash(command)).content).toContain("Use its non-interactive form");
  });

  test("and one that does not is not", async () => {
    expect((await bash("cat /dev/null; false")).content).toBe("Exit code 1");
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

test("a command in the background is refused with a reason", async () => {
  expect(await bash({ command: "touch made", run_in_background: true })).toMatchObject({
    isError: true,
    content: expect.stringContaining("Commands cannot run in the background yet."),
  });
  expect((await bash("ls")).content).toBe("(Bash completed with no output)");
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
