import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { ended, resultsOf, says, Workspace } from "./support/pawl.ts";

const sleeps = [
  { answer: [{ tool: "Bash", input: { command: "echo $$ > pid; sleep 300 & echo $! > child; wait" } }] },
  { answer: [{ text: "Never." }] },
];
const stream = ["--output-format", "stream-json", "--allowedTools", "Bash"];

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)(
  "%s in a tool ends the children, writes the final record and exits with %i (B22, B72)",
  async (signal, code) => {
    await using workspace = await Workspace.create();
    const child = workspace.start(["-p", "Go.", ...stream, ...(await workspace.plays(sleeps))]);
    child.stdin.end();
    const end = ended(child);
    await until(async () => (await readFile(workspace.path("child"), "utf8")).endsWith("\n"));
    const pids = await Promise.all(["pid", "child"].map((name) => readFile(workspace.path(name), "utf8").then(Number)));

    const sentAt = Date.now();
    child.kill(signal);
    const { code: exitCode, stdout, stderr } = await end;

    expect([exitCode, stderr]).toEqual([code, ""]);
    expect(Date.now() - sentAt).toBeLessThan(5_000);
    expect(resultsOf(stdout)).toMatchObject([
      { subtype: "error_during_execution", is_error: true, terminal_reason: "aborted_tools" },
    ]);
    expect(pids.filter(isAlive)).toEqual([]);
  },
);

test("SIGTERM while the model answers writes the final record and exits with 143", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ delayMs: 60_000, answer: [{ text: "Never." }] }]);
  const child = workspace.start(["-p", "Go.", ...stream, ...model]);
  child.stdin.end();
  const end = ended(child);
  await says(child.stdout, '"init"');

  child.kill("SIGTERM");
  const { code, stdout } = await end;

  expect(code).toBe(143);
  expect(resultsOf(stdout)).toMatchObject([{ is_error: true, terminal_reason: "aborted_streaming" }]);
});

test("in text mode the reason of an interrupt is told on stderr", async () => {
  await using workspace = await Workspace.create();
  const child = workspace.start(["-p", "Go.", "--allowedTools", "Bash", ...(await workspace.plays(sleeps))]);
  child.stdin.end();
  const end = ended(child);
  await until(async () => (await readFile(workspace.path("child"), "utf8")).endsWith("\n"));

  child.kill("SIGINT");
  const { code, stdout, stderr } = await end;

  expect([code, stdout]).toEqual([130, ""]);
  expect(stderr).toMatch(/^pawl: .+\n$/);
});

test("a second signal ends the process at once, also when nobody reads its output", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "x".repeat(900_000) }] }]);
  const child = workspace.start(["-p", "Go.", "--output-format", "stream-json", ...model]);
  child.stdin.end();
  const exited = new Promise((resolve) => child.on("exit", (code, signal) => resolve([code, signal])));
  await new Promise((resolve) => child.stdout.once("readable", resolve)); // and nothing more is read
  await new Promise((resolve) => setTimeout(resolve, 3_000)); // by now the answer is waiting to be read

  child.kill("SIGINT");
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(child.exitCode).toBe(null);
  child.kill("SIGINT");

  expect(await exited).toEqual([130, null]);
});

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const holds = await isSo().catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    });
    if (holds) return;
    if (Date.now() > deadline) throw new Error("it did not come to be so in 15 s");
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** A process that has ended but that its parent has not asked about yet counts as ended. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    if (process.platform !== "linux") return true;
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // there is no such process
  }
}
