import fs from "node:fs";
import { readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { newTranscript, SESSION, writing } from "../../test/support/transcripts.ts";
import { thisProcess } from "../lib/process-identity.ts";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { openTranscript } from "./jsonl-writer.ts";
import { lockSession } from "./lock.ts";
import { sessionFile } from "./paths.ts";

let home: TempWorkspace;
beforeEach(async () => {
  home = await tempWorkspace({ "s.jsonl": "" });
  onTestFinished(home.remove);
});
const file = () => home.path("s.jsonl");
const locks = async () => (await readdir(home.root)).filter((name) => name.endsWith(".lock"));

describe("several that want one session", () => {
  test("in one process too, the second is refused until the first gives it back", async () => {
    const first = await lockSession(file());
    await expect(lockSession(file())).rejects.toMatchObject({ code: "session_in_use" });
    await first.release();
    const second = await lockSession(file());
    await second.release();
    expect(await locks()).toEqual([]);
  });

  test("two that begin the same new session at once: at most one writes", async () => {
    const stores = await Promise.all([newTranscript(home.root), newTranscript(home.root)]);
    const outcomes = await Promise.allSettled(
      stores.map((store, at) => store.append({ type: "state", part: "notes", value: at })),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused[0]).toMatchObject({ reason: { code: "session_in_use" } });
    await Promise.all(stores.map((store) => store.close()));

    const place = { sessionId: SESSION, file: sessionFile(home.root, "/w", SESSION) };
    const again = await openTranscript({ place, ...writing });
    await again.append({ type: "state", part: "notes", value: "free again" });
    await again.close();
  });

  test("eight at the same time never hold it together", async () => {
    let holders = 0;
    let most = 0;
    const tries = Array.from({ length: 8 }, async () => {
      const lock = await lockSession(file());
      most = Math.max(most, ++holders);
      await sleep(20);
      holders--;
      await lock.release();
    });
    await Promise.allSettled(tries);
    expect(most).toBeLessThanOrEqual(1);
    expect(await locks()).toEqual([]);
  });
});

describe("locks of processes that are gone or out of sight", () => {
  const lockFile = () => home.path("s.1-00.lock");
  const lockedBy = (owner: unknown) => writeFile(lockFile(), JSON.stringify(owner));
  const take = async () => {
    const lock = await lockSession(file());
    await lock.release();
  };

  test("a process with that number and start holds it", async () => {
    await lockedBy(thisProcess(fs));
    await expect(take()).rejects.toThrow(`process ${process.pid} on `);
  });

  test("the number was given to another process: the lock is dead", async () => {
    await lockedBy({ ...thisProcess(fs), startTime: "1" });
    await take();
  });

  test("the machine was started anew: the lock is dead", async () => {
    await lockedBy({ ...thisProcess(fs), bootId: "another" });
    await take();
  });

  test("another machine's lock holds while it shows life, and is dead after minutes of silence", async () => {
    await lockedBy({ pid: 1, host: "elsewhere" });
    await expect(take()).rejects.toThrow(/process 1 on elsewhere/);
    const silent = new Date(Date.now() - 6 * 60_000);
    await utimes(lockFile(), silent, silent);
    await take();
  });

  test("a lock that cannot be read holds until it is old", async () => {
    await lockedBy([]);
    await expect(take()).rejects.toThrow(/another process/);
    await utimes(lockFile(), 0, 0);
    await take();
  });

  test("a holder shows life, and notices that its lock was removed", async () => {
    const lock = await lockSession(file(), 5);
    const [name = ""] = await locks();
    await utimes(home.path(name), 0, 0);
    await expect.poll(async () => (await stat(home.path(name))).mtimeMs).toBeGreaterThan(Date.now() - 60_000);
    expect(lock.isLost()).toBe(false);
    await rm(home.path(name));
    await expect.poll(() => lock.isLost()).toBe(true);
    await lock.release();
  });
});
