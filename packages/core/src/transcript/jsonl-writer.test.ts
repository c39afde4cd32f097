import { mkdir, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { chainOf, nextUuid, prompt } from "../../test/support/journal-entries.ts";
import { newTranscript, now, OTHER_SESSION, SESSION, writing } from "../../test/support/transcripts.ts";
import type { JournalEntry } from "../history/journal.ts";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { openTranscript } from "./jsonl-writer.ts";
import { nullStore } from "./null-store.ts";
import { sessionFolder } from "./paths.ts";
import { candidateFolders } from "./project-folder.ts";
import { readTranscript } from "./reader.ts";

let home: TempWorkspace;
beforeEach(async () => {
  home = await tempWorkspace();
  onTestFinished(home.remove);
});

const note = (value: unknown): JournalEntry => ({ type: "state", part: "notes", value });
const linesOf = async (path: string | null): Promise<Record<string, unknown>[]> =>
  (await readFile(path ?? "", "utf8"))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const place = () => ({ sessionId: SESSION, file: join(candidateFolders(home.root, "/w")[0], `${SESSION}.jsonl`) });
const reopened = (more: { lastFence?: number } = {}) => openTranscript({ place: place(), ...writing, ...more });

describe("what is written", () => {
  test("order of writing is order of calling, however many wait", async () => {
    const store = await newTranscript(home.root);
    await Promise.all(Array.from({ length: 500 }, (_, at) => store.append(note(at))));
    await store.close();

    const values = (await linesOf(store.path)).flatMap(({ value }) => (value === undefined ? [] : [value]));
    expect(values).toEqual(Array.from({ length: 500 }, (_, at) => at));
  });

  test("an append resolves only when its line is in the file", async () => {
    const store = await newTranscript(home.root);
    for (let at = 0; at < 20; at++) {
      await store.append(note(at));
      expect((await linesOf(store.path)).at(-1)).toMatchObject({ value: at });
    }
    await store.close();
  });

  test("what is appended is what the entry was when it was given", async () => {
    const store = await newTranscript(home.root);
    const value = { text: "then" };
    const appended = store.append(note(value));
    value.text = "later";
    await appended;
    await store.close();
    expect((await linesOf(store.path)).at(-1)).toMatchObject({ value: { text: "then" } });
  });

  test("each writer that takes the session says so before its first line", async () => {
    const first = await newTranscript(home.root);
    await first.append(note(1));
    await first.close();
    const { fence } = await readTranscript(place().file);
    const second = await reopened({ lastFence: fence });
    await second.append(note(2));
    await second.close();

    const lines = await linesOf(place().file);
    expect(lines.map(({ kind, fence: number }) => [kind, number])).toEqual([
      ["lease", 1],
      ["state", undefined],
      ["lease", 2],
      ["state", undefined],
    ]);
    expect(lines[0]).toMatchObject({ type: "pawl", sessionId: SESSION, pid: process.pid });
  });

  test("a line of 10 MB is one line like any other", async () => {
    const store = await newTranscript(home.root);
    const [entry] = chainOf([prompt("x".repeat(10 * 1024 * 1024))]);
    if (entry === undefined) throw new Error("no entry");
    await Promise.all([store.append(note(1)), store.append(entry), store.append(note(2))]);
    await store.close();
    expect((await readTranscript(place().file)).entries).toEqual([note(1), entry, note(2)]);
  });

  test("a file that ends in a torn line goes on with a new line", async () => {
    const store = await newTranscript(home.root);
    await store.append(note(1));
    await store.close();
    const torn = (await readFile(place().file, "utf8")).slice(0, -5);
    await writeFile(place().file, torn);

    const next = await reopened();
    await next.append(note(2));
    await next.close();

    const { entries, problems } = await readTranscript(place().file);
    expect(entries).toEqual([note(2)]);
    expect(problems.map(({ type, line }) => `${line}: ${type}`)).toEqual(["2: not_json"]);
  });

  test("appending takes no longer in a file of 50 MB", async () => {
    const store = await newTranscript(home.root);
    const timed = async () => {
      const start = process.cpuUsage();
      for (let at = 0; at < 200; at++) await store.append(note(at));
      const { user, system } = process.cpuUsage(start);
      return (user + system) / 1_000;
    };
    await timed();
    const small = await timed();
    for (let at = 0; at < 50; at++) await store.append(note("x".repeat(1024 * 1024)));
    const big = await timed();
    await store.close();
    expect(big).toBeLessThan(small * 5 + 200);
  });
});

describe("where it is written", () => {
  test("a session that was never used leaves nothing behind", async () => {
    const store = await newTranscript(home.root);
    await store.close();
    expect(await readdir(home.root)).toEqual([]);
  });

  test("folder and file are the user's alone, and no lock is left", async () => {
    const store = await newTranscript(home.root);
    await store.append(note(1));
    const held = await readdir(dirname(store.path ?? ""));
    await store.close();

    const path = store.path ?? "";
    expect(path).toBe(home.path(`projects/-w/${SESSION}.jsonl`));
    expect([(await stat(path)).mode & 0o777, (await stat(dirname(path))).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(held.filter((name) => name.endsWith(".lock"))).toHaveLength(1);
    expect((await readdir(dirname(path))).sort()).toEqual([`${SESSION}.jsonl`, "project.json"]);
  });

  test("two directories whose folder names are alike get folders of their own", async () => {
    const first = await newTranscript(home.root, { realCwd: "/w/my.app" });
    await first.append(note(1));
    const second = await newTranscript(home.root, { realCwd: "/w/my-app", sessionId: OTHER_SESSION });
    await second.append(note(2));
    await Promise.all([first.close(), second.close()]);

    expect(dirname(first.path ?? "")).toBe(home.path("projects/-w-my-app"));
    expect(dirname(second.path ?? "")).toMatch(/projects\/-w-my-app-[0-9a-f]{8}$/);
    expect(JSON.parse(await home.read("projects/-w-my-app/project.json"))).toEqual({ path: "/w/my.app" });
  });

  test("two that open before either has written still get folders of their own", async () => {
    const first = await newTranscript(home.root, { realCwd: "/w/my.app" });
    const second = await newTranscript(home.root, { realCwd: "/w/my-app", sessionId: OTHER_SESSION });
    await first.append(note(1));
    await second.append(note(2));
    await Promise.all([first.close(), second.close()]);
    expect(dirname(second.path ?? "")).toMatch(/-w-my-app-[0-9a-f]{8}$/);
  });

  test("an id that is taken is refused for a new session", async () => {
    const store = await newTranscript(home.root);
    await store.append(note(1));
    await store.close();
    await expect(newTranscript(home.root)).rejects.toMatchObject({
      code: "session_in_use",
      message: `Session ID ${SESSION} is already in use.`,
    });
  });
});

describe("writes that fail", () => {
  test("a full disk fails that append and all later ones, and says where", async () => {
    await mkdir(dirname(place().file), { recursive: true });
    await symlink("/dev/full", place().file);
    const store = await reopened();

    const outcomes = await Promise.allSettled([store.append(note(1)), store.append(note(2))]);
    const later = store.append(note(3));

    const refusal = {
      code: "transcript_write",
      message: expect.stringMatching(new RegExp(`${SESSION}.jsonl: cannot write the session: .*ENOSPC.*make room`)),
    };
    expect(outcomes).toMatchObject([
      { status: "rejected", reason: refusal },
      { status: "rejected", reason: refusal },
    ]);
    await expect(later).rejects.toMatchObject(refusal);
    await store.close();
    expect((await readdir(dirname(place().file))).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  test("a config home that cannot be made fails the first append and names the file and the way out", async () => {
    await home.write("taken", "a file");
    const store = await newTranscript(home.path("taken"));
    await expect(store.append(note(1))).rejects.toMatchObject({
      code: "transcript_write",
      message: expect.stringMatching(/taken\/projects\/-w\/.*\.jsonl: cannot write the session: .*PAWL_CONFIG_DIR/),
    });
    await store.close();
  });

  test("a file that is deleted under the session is noticed; what was acknowledged before was written", async () => {
    const store = await newTranscript(home.root);
    await store.append(note(1));
    await rm(place().file);
    await expect(store.append(note(2))).rejects.toMatchObject({ code: "transcript_write" });
    await expect(store.append(note(3))).rejects.toThrow(/deleted while the session used it/);
    await store.close();
  });

  test("a closed session takes nothing more, and can be closed again", async () => {
    const store = await newTranscript(home.root);
    await store.append(note(1));
    await store.close();
    await expect(store.append(note(2))).rejects.toThrow(/the session is closed/);
    await store.close();
  });
});

describe("big outputs", () => {
  test("are stored beside the session under a safe name, and the same text once", async () => {
    const store = await newTranscript(home.root);
    const path = await store.storeOutput("../../etc/pass wd", "one");
    const other = await store.storeOutput("../../etc/pass wd", "two");
    const again = await store.storeOutput("another name", "one");
    await store.close();

    const folder = join(sessionFolder(store.path ?? ""), "tool-results");
    expect(path).toMatch(new RegExp(`^${folder}/etc-pass-wd-[0-9a-f]{16}\\.txt$`));
    expect(again).toBe(path);
    expect(await Promise.all([path, other].map((file) => readFile(file, "utf8")))).toEqual(["one", "two"]);
    expect((await readdir(folder)).length).toBe(2);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test("of a session that is not kept go to a folder that ends with it", async () => {
    const store = nullStore(SESSION);
    await store.append(note(1));
    const path = await store.storeOutput(nextUuid(), "text");
    expect([store.path, await readFile(path, "utf8")]).toEqual([null, "text"]);
    await store.close();
    await expect(stat(dirname(path))).rejects.toMatchObject({ code: "ENOENT" });
  });
});

test("lines carry the time of the clock that was given", async () => {
  const store = await newTranscript(home.root);
  await store.append(note(1));
  await store.close();
  expect((await linesOf(store.path)).map(({ timestamp }) => timestamp)).toEqual(
    Array(2).fill(new Date(now()).toISOString()),
  );
});
