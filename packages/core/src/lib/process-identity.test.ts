import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import { expect, test } from "vitest";
import { isProcessIdentity, stateOf, thisProcess } from "./process-identity.ts";

const self = thisProcess(fs);

test("this process runs, and is known again after it was written down", () => {
  const read: unknown = JSON.parse(JSON.stringify(self));
  expect(isProcessIdentity(read) && stateOf(read, self, fs)).toBe("running");
});

test("a process that has ended is gone", async () => {
  const child = spawn("true", { stdio: "ignore" });
  const { pid = 0 } = child;
  await once(child, "exit");
  expect(stateOf({ ...self, pid, startTime: "1" }, self, fs)).toBe("gone");
});

test.each([
  ["gone, of a pid that is another's now", { startTime: "1" }, process.platform === "linux" ? "gone" : "running"],
  ["gone, of an earlier run of the machine", { bootId: "before" }, "gone"],
  ["unknown, of another machine", { host: "elsewhere" }, "unknown"],
  ["unknown, of another container", { pidSpace: "pid:[1]" }, "unknown"],
])("it is %s", (_which, change, state) => {
  expect(stateOf({ ...self, ...change }, self, fs)).toBe(state);
});

test("what names no process is not taken for one", () => {
  const none: unknown[] = [null, 7, {}, { pid: 7 }, { pid: 0, host: "a" }, { pid: 1.5, host: "a" }];
  for (const value of [...none, { pid: 7, host: "a", bootId: 1 }]) expect(isProcessIdentity(value)).toBe(false);
  expect(isProcessIdentity({ pid: 7, host: "a" })).toBe(true);
});
