import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { localShell } from "./run.ts";
import { endLostCalls } from "./running-calls.ts";
import { sweepOutputs } from "./sweep-outputs.ts";

let workspace: TempWorkspace;
let child: ChildProcess | undefined;
beforeEach(async () => {
  workspace = await tempWorkspace();
});
afterEach(async () => {
  child?.kill("SIGKILL");
  child = undefined;
  await workspace.remove();
});

const marker = `lost-${process.pid}`;
const running = () => workspace.path("running");

/** A process that carries the mark of a call, as one that a killed Pawl has left. */
async function leftover(): Promise<ChildProcess> {
  child = spawn("sleep", ["600"], { env: { ...process.env, PAWL_CALL: marker }, detached: true, stdio: "ignore" });
  await once(child, "spawn");
  return child;
}

/** The record of a shell of this process, with changes: what its owner would have left. */
async function recordOf(change: Record<string, unknown>): Promise<void> {
  const shell = localShell({ env: process.env, stateFolder: workspace.root });
  const { signal } = new AbortController();
  const call = { command: "true", cwd: workspace.root, timeoutMs: 5_000, signal, maxOutputBytes: 100 };
  await shell.run(call);
  const [folder = ""] = await readdir(running());
  const owner = JSON.parse(await readFile(`${running()}/${folder}/owner.json`, "utf8"));
  await shell.close();
  await mkdir(`${running()}/it`, { recursive: true });
  await writeFile(`${running()}/it/owner.json`, JSON.stringify({ ...owner, ...change }));
  await writeFile(`${running()}/it/${marker}`, "");
}

test("what is left of an owner that is gone is ended and forgotten, also when its pid is another's now", async () => {
  const left = await leftover();
  await recordOf({ startTime: "1" });
  expect(await endLostCalls(running())).toBe(1);
  expect(left.signalCode ?? (await once(left, "exit"))[1]).toBe("SIGTERM");
  expect(await readdir(running())).toEqual([]);
});

test.each([
  ["that runs", {}],
  ["of another machine", { host: "elsewhere", startTime: "1" }],
  ["of another container", { pidSpace: "pid:[1]", startTime: "1" }],
])("what an owner %s has is left alone", async (_which, change) => {
  const left = await leftover();
  await recordOf(change);
  expect(await endLostCalls(running())).toBe(0);
  expect([left.exitCode, left.signalCode]).toEqual([null, null]);
  expect(await readdir(running())).toEqual(["it"]);
});

test("of an earlier run of the machine nothing can run any more: it is only forgotten", async () => {
  const left = await leftover();
  await recordOf({ bootId: "before" });
  expect(await endLostCalls(running())).toBe(0);
  expect([left.exitCode, left.signalCode]).toEqual([null, null]);
  expect(await readdir(running())).toEqual([]);
});

test("a record that cannot be read stays until it is old", async () => {
  await mkdir(`${running()}/broken`, { recursive: true });
  await writeFile(`${running()}/broken/owner.json`, '{"pid":');
  await endLostCalls(running());
  expect(await readdir(running())).toEqual(["broken"]);
  await utimes(`${running()}/broken`, 1, 1);
  await endLostCalls(running());
  expect(await readdir(running())).toEqual([]);
});

test("a shell notes what runs while it runs, and nothing of it stays", async () => {
  const shell = localShell({ env: process.env, stateFolder: workspace.root });
  const { signal } = new AbortController();
  const call = { cwd: workspace.root, timeoutMs: 5_000, signal, maxOutputBytes: 1_000 };
  const names = await shell.run({ ...call, command: `ls ${running()}/*; true` });
  expect(names.stdout).toMatch(/^[0-9a-f-]{36}\nowner\.json\n$/);
  const [own = ""] = await readdir(running());
  expect(await readdir(`${running()}/${own}`)).toEqual(["owner.json"]);
  await shell.close();
  expect(await readdir(running())).toEqual([]);
});

test("a folder that is cleared while it is used is made again for the next call", async () => {
  const shell = localShell({ env: process.env, stateFolder: workspace.root });
  const { signal } = new AbortController();
  const call = { cwd: workspace.root, timeoutMs: 5_000, signal, maxOutputBytes: 1_000, startup: "rc" } as const;
  const cleared = await shell.run({ ...call, command: `rm -r ${running()}; echo done` });
  const names = await shell.run({ ...call, command: `ls ${running()}/*; true` });
  expect([cleared.stdout, cleared.stderr, names.stderr]).toEqual(["done\n", "", ""]);
  expect(names.stdout).toMatch(/^[0-9a-f-]{36}\n(?:.*\n)*owner\.json\n/);
  await shell.close();
});

test("a folder that cannot be written to does not keep commands from running", async () => {
  await workspace.write("running", "in the way");
  const shell = localShell({ env: process.env, stateFolder: workspace.root });
  const { signal } = new AbortController();
  const call = { command: "echo ok; true", cwd: workspace.root, timeoutMs: 5_000, signal, maxOutputBytes: 100 };
  expect((await shell.run({ ...call, startup: "rc" })).stdout).toBe("ok\n");
  expect(await shell.tidy()).toBe(0);
  await shell.close();
});

test("old outputs go, and the oldest of too many; what may be a running job's stays", async () => {
  const day = 24 * 3_600_000;
  const now = Date.now();
  for (const [name, ageDays] of [
    ["a/now", 0],
    ["a/young", 1],
    ["b/older", 2],
    ["c/ancient", 20],
  ] as const) {
    await workspace.write(`tasks/${name}`, "x".repeat(1_000));
    const at = (now - ageDays * day) / 1_000;
    await utimes(workspace.path(`tasks/${name}`), at, at);
  }
  const left = async () => (await readdir(workspace.path("tasks"), { recursive: true })).sort();
  await sweepOutputs(workspace.path("tasks"), now);
  expect(await left()).toEqual(["a", "a/now", "a/young", "b", "b/older"]);
  await sweepOutputs(workspace.path("tasks"), now, 2_500);
  expect(await left()).toEqual(["a", "a/now", "a/young"]);
  await sweepOutputs(workspace.path("tasks"), now, 0);
  expect(await left()).toEqual(["a", "a/now"]);
});
