import { existsSync, readFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { streamFaults } from "./support/frame-checker.ts";
import { ended, framesOf, resultsOf, says, Workspace } from "./support/pawl.ts";

const both = ["--input-format", "stream-json", "--output-format", "stream-json"];
const user = (content: string) => `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;
const job = (command: string) => ({
  answer: [{ tool: "Bash", input: { command, run_in_background: true, description: "Job" } }],
});
const text = (words: string) => ({ answer: [{ text: words }] });
const bash = ["--allowedTools", "Bash"];

test("on a live input the end of a background command starts a turn of its own", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([job("sleep 0.5; echo built > built"), text("Begun."), text("It is built.")]);
  const child = workspace.start([...both, ...bash, ...model]);
  const end = ended(child);
  const told = says(child.stdout, "It is built.");
  child.stdin.write(user("build it"));
  await told;
  child.stdin.end();
  const { code, stdout, stderr } = await end;

  expect([code, stderr]).toEqual([0, ""]);
  const frames = framesOf(stdout);
  expect(streamFaults(frames)).toEqual([]);
  const results = resultsOf(stdout);
  expect(results.map((result) => [result.result, result.origin?.kind])).toEqual([
    ["Begun.", undefined],
    ["It is built.", "task-notification"],
  ]);
  const kinds = frames.flatMap((frame) => (frame.type === "system" ? [frame.subtype] : []));
  expect(kinds).toEqual(expect.arrayContaining(["task_started", "task_notification"]));
});

test("after the last result a background command has some seconds to end, and is then ended", async () => {
  await using workspace = await Workspace.create();
  const quick = "sleep 0.7; echo done > quick";
  const slow = "trap '' TERM; setsid sleep 300 & echo $! > daemon; echo $$ > slow; sleep 300";
  const model = await workspace.plays([job(quick), job(slow), text("Begun.")]);
  const startedAt = Date.now();
  const { code, stdout } = await workspace.run(["-p", "go", "--output-format", "stream-json", ...bash, ...model]);

  expect(code).toBe(0);
  const frames = framesOf(stdout);
  expect(streamFaults(frames)).toEqual([]);
  expect(frames.at(-1)).toMatchObject({ type: "result", result: "Begun." });
  const ends = frames.flatMap((frame) =>
    frame.type === "system" && frame.subtype === "task_notification" ? [frame.status] : [],
  );
  expect(ends).toEqual(["completed", "stopped"]);
  expect(existsSync(workspace.path("quick"))).toBe(true);
  expect(Date.now() - startedAt).toBeGreaterThan(5_000);
  expect((await pids(workspace, ["daemon", "slow"])).filter(isAlive)).toEqual([]);
});

test("people are told which background tasks are waited for and ended, and which prompts will not come", async () => {
  await using workspace = await Workspace.create();
  const cron = (prompt: string, durable: boolean) => ({
    answer: [{ tool: "CronCreate", input: { cron: "0 0 1 1 *", prompt, durable } }],
  });
  const allowed = ["--allowedTools", "Bash,CronCreate"];
  const steps = [job("sleep 300"), cron("Look again", false), cron("Look yearly", true), text("Begun.")];
  const { code, stdout, stderr } = await workspace.run(["-p", "go", ...allowed, ...(await workspace.plays(steps))]);

  expect([code, stdout]).toEqual([0, "Begun.\n"]);
  expect(stderr.replace(/[0-9a-f-]{36}/, "ID").split("\n")).toEqual([
    "pawl: waiting for 1 background task (Job) to end, at most 5 s",
    "pawl: ended before it was done: 1 background task (Job)",
    "pawl: will not come, because the session ends here: 1 scheduled prompt (Look again)",
    "pawl: comes only once the session is open again (pawl --resume ID): 1 scheduled prompt (Look yearly)",
    "",
  ]);
});

test("SIGTERM ends background commands with all they have started", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    job("setsid sleep 300 & echo $! > daemon; echo $$ > job; sleep 300"),
    { answer: [{ tool: "Bash", input: { command: "echo $$ > call; sleep 300 & wait" } }] },
  ]);
  const child = workspace.start(["-p", "go", ...bash, ...model]);
  child.stdin.end();
  const end = ended(child);
  for (const name of ["daemon", "job", "call"]) await workspace.appears(name);
  const running = await pids(workspace, ["daemon", "job", "call"]);
  child.kill("SIGTERM");

  expect((await end).code).toBe(143);
  expect(running.filter(isAlive)).toEqual([]);
});

test("what a killed Pawl has left running is ended by the next start, and a daemon that was to stay is not", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    { answer: [{ tool: "Bash", input: { command: "setsid sleep 300 >/dev/null 2>&1 & echo $! > stays" } }] },
    job("setsid sleep 300 & echo $! > daemon; echo $$ > job; sleep 300"),
    { answer: [{ tool: "Bash", input: { command: "setsid sleep 300 & echo $! > child; echo $$ > call; sleep 300" } }] },
  ]);
  const child = workspace.start(["-p", "go", ...bash, ...model]);
  child.stdin.end();
  const end = ended(child);
  for (const name of ["stays", "daemon", "job", "child", "call"]) await workspace.appears(name);
  const left = await pids(workspace, ["daemon", "job", "child", "call"]);
  child.kill("SIGKILL");
  await end;
  expect(left.filter(isAlive)).toEqual(left);

  const { code } = await workspace.run(["-p", "hi", ...(await workspace.plays([text("Hi.")]))]);

  expect(code).toBe(0);
  expect(left.filter(isAlive)).toEqual([]);
  const [daemon = 0] = await pids(workspace, ["stays"]);
  expect(isAlive(daemon)).toBe(true);
  process.kill(daemon, "SIGKILL");
  expect(await readdir(workspace.path(".config/shell/running"))).toEqual([]);
});

const pids = (workspace: Workspace, names: readonly string[]) =>
  Promise.all(names.map(async (name) => Number(await readFile(workspace.path(name), "utf8"))));

/** What has ended and only waits to be collected runs no more. */
function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
