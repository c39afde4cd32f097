import { expect, test } from "vitest";
import { listProcesses, parsePs } from "./process-list.ts";

test("our own process is listed with its parent, and without a marker it does not have", async () => {
  const processes = await listProcesses("no-such-call");
  const own = processes.find(({ pid }) => pid === process.pid);
  expect(own).toMatchObject({ parentPid: process.ppid, isZombie: false, isMarked: false });
});

test("the output of ps is read, with blanks in commands and the marker in the environment", () => {
  const text = [
    "    1     0     1 Ss   Mon Nov 30 21:40:31 2026     /sbin/launchd",
    "  501     1   501 S+   Tue Dec  1 01:02:03 2026     sleep 60 PATH=/bin PAWL_CALL=abc.def HOME=/",
    "  502   501   501 Z    Tue Dec  1 01:02:03 2026     (sh)",
    "",
  ].join("\n");
  expect(parsePs(text, "abc")).toEqual([
    { pid: 1, parentPid: 0, groupId: 1, isZombie: false, startedAt: "Mon Nov 30 21:40:31 2026", isMarked: false },
    { pid: 501, parentPid: 1, groupId: 501, isZombie: false, startedAt: "Tue Dec  1 01:02:03 2026", isMarked: true },
    { pid: 502, parentPid: 501, groupId: 501, isZombie: true, startedAt: "Tue Dec  1 01:02:03 2026", isMarked: false },
  ]);
});

test("many who look at the same time share one look: to end forty calls costs hardly more than to end one", async () => {
  const look = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => listProcesses(`call-${at}`, "0")));
  expect(await fastest(() => look(40))).toBeLessThan(15 * (await fastest(() => look(1))) + 20);
});

/** Of three times. Milliseconds. */
async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const startedMs = performance.now();
    await work();
    times.push(performance.now() - startedMs);
  }
  return Math.min(...times);
}
