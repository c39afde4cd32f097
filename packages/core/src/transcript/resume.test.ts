import { appendFile, cp, mkdir, readFile, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  answer,
  call,
  chainOf,
  modelId,
  nextUuid,
  prompt,
  result,
  usageOf,
} from "../../test/support/journal-entries.ts";
import { newTranscript, now, OTHER_SESSION, recordedTranscript, SESSION } from "../../test/support/transcripts.ts";
import type { JournalEntry } from "../history/journal.ts";
import { textOf } from "../messages/message.ts";
import { toApiMessage } from "../messages/normalize.ts";
import { repairHistory } from "../messages/repair.ts";
import { violations } from "../messages/violations.ts";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { MAX_PROBLEMS } from "./draft.ts";
import { findSession } from "./find-session.ts";
import { forkSession } from "./fork.ts";
import { candidateFolders, placeNewSession } from "./project-folder.ts";
import { readTranscript } from "./reader.ts";
import { loadSession } from "./resume.ts";

let home: TempWorkspace;
beforeEach(async () => {
  home = await tempWorkspace();
  onTestFinished(home.remove);
});

async function write(entries: readonly JournalEntry[], sessionId = SESSION, realCwd = "/w"): Promise<string> {
  const store = await newTranscript(home.root, { sessionId, realCwd, cwd: realCwd });
  for (const entry of entries) await store.append(entry);
  await store.close();
  return store.path ?? "";
}
const find = (id: string, cwd = "/w") => findSession({ configHome: home.root, cwd, id });
const textsOf = async (path: string) => (await loadSession(path)).messages.map(({ content }) => textOf(content));
const state = (part: string, value: unknown): JournalEntry => ({ type: "state", part, value });

describe("finding a session", () => {
  const hello = () => chainOf([prompt("hello")]);

  test("by its id, and the newest of this directory", async () => {
    const older = await write(hello());
    const newer = await write(hello(), OTHER_SESSION);
    await utimes(older, 1, 1);

    expect(await find(SESSION)).toEqual({ sessionId: SESSION, file: older });
    expect(await find("newest")).toEqual({ sessionId: OTHER_SESSION, file: newer });
    await utimes(newer, 0, 0);
    expect(await find("newest")).toMatchObject({ sessionId: SESSION });
  });

  test("an unknown id is named, whether it is one or not", async () => {
    for (const id of [SESSION, "yesterday"]) {
      await expect(find(id)).rejects.toMatchObject({
        code: "session_not_found",
        message: `No conversation found with session ID: ${id}`,
      });
    }
    await expect(find("newest")).rejects.toThrow("No conversation found to continue in /w");
  });

  test("in another directory when only one has it", async () => {
    const path = await write(hello(), SESSION, "/elsewhere");
    expect(await find(SESSION)).toEqual({ sessionId: SESSION, file: path });
    await write(hello(), SESSION, "/third");
    await expect(find(SESSION)).rejects.toMatchObject({
      code: "session_not_found",
      message: expect.stringMatching(/there are 2 of other directories \(.*-elsewhere, .*-third\)/),
    });
    await expect(find("newest")).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("a directory with a like name never gets the other one's session", async () => {
    await write(hello(), SESSION, "/w/my.app");
    await expect(find("newest", "/w/my-app")).rejects.toMatchObject({ code: "session_not_found" });
    const own = await write(hello(), OTHER_SESSION, "/w/my-app");
    expect(await find("newest", "/w/my-app")).toMatchObject({ file: own });
    expect(await find("newest", "/w/my.app")).toMatchObject({ sessionId: SESSION });
  });

  test("nor does it in a folder that does not say whose it is", async () => {
    const [folder] = candidateFolders(home.root, "/w/my.app");
    await mkdir(folder, { recursive: true });
    const line = {
      type: "user",
      uuid: "u1",
      cwd: "/w/my.app",
      isSidechain: false,
      message: { role: "user", content: "x" },
    };
    await writeFile(join(folder, `${SESSION}.jsonl`), `${JSON.stringify(line)}\n`);

    expect(await find("newest", "/w/my.app")).toMatchObject({ sessionId: SESSION });
    await expect(find("newest", "/w/my-app")).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("files without a conversation, of subagents, and of other names are not taken for the newest", async () => {
    const path = await write(hello());
    await utimes(path, 1, 1);
    const folder = dirname(path);
    const id = (digit: string) => `${digit.repeat(8)}-${digit.repeat(4)}-4000-8000-${digit.repeat(12)}.jsonl`;
    await writeFile(join(folder, id("1")), '{"type":"custom-title","customTitle":"x"}\n');
    await writeFile(join(folder, id("2")), '{"type":"user","uuid":"u","isSidechain":true,"message":{}}\n');
    await writeFile(join(folder, "agent-1.jsonl"), '{"type":"user","uuid":"u"}\n');
    expect(await find("newest")).toMatchObject({ file: path });
  });

  test("a long path's folder is found though another writer hashed it otherwise", async () => {
    const cwd = `/${"deep/".repeat(60)}end`;
    const [folder] = candidateFolders(home.root, cwd);
    const other = folder.replace(/-[0-9a-z]+$/, "-0ther");
    await mkdir(other, { recursive: true });
    const line = { type: "user", uuid: "u1", cwd, message: { role: "user", content: "x" } };
    await writeFile(join(other, `${SESSION}.jsonl`), `${JSON.stringify(line)}\n`);
    expect(await find("newest", cwd)).toMatchObject({ file: join(other, `${SESSION}.jsonl`) });
  });
});

describe("loading a session", () => {
  test("gives the conversation, where it goes on, and what it started with", async () => {
    const messages = [prompt("one"), answer({ type: "text", text: "two" })];
    const fileState = { hash: "h", mtimeMs: 1, size: 2, isWhole: false, given: { offset: 1, limit: 5 } };
    const path = await write([
      ...chainOf(messages),
      state("mode", "acceptEdits"),
      state("todos", [{ content: "x", status: "pending" }]),
      state("readState", [["/w/a", fileState], ["/w/b", { hash: 1 }], "rubbish"]),
    ]);

    const session = await loadSession(path);

    expect(session).toMatchObject({
      sessionId: SESSION,
      path,
      messages,
      leaf: messages[1]?.uuid,
      openToolUses: [],
      lastModel: "claude-test",
      fence: 1,
      problems: [],
    });
    const { parts, ...restored } = session.state;
    expect(restored).toEqual({
      mode: "acceptEdits",
      todos: [{ content: "x", status: "pending" }],
      cwd: "/w",
      readState: [["/w/a", fileState]],
    });
    expect([...parts.keys()]).toEqual(["mode", "todos", "readState"]);
  });

  test("modes that must be asked for anew are not restored", async () => {
    for (const [at, mode] of ["plan", "bypassPermissions"].entries()) {
      const path = await write([...chainOf([prompt("x")]), state("mode", mode)], [SESSION, OTHER_SESSION][at]);
      expect((await loadSession(path)).state.mode).toBeUndefined();
    }
  });

  test("a rewind takes back what was set after its place", async () => {
    const messages = [prompt("one"), answer({ type: "text", text: "two" }), prompt("three"), prompt("four")];
    const [first, second, third] = chainOf(messages.slice(0, 3));
    const to = messages[2]?.uuid;
    if (!first || !second || !third || !to) throw new Error("a message is missing");
    const path = await write([
      first,
      second,
      state("todos", ["before"]),
      third,
      state("todos", ["after"]),
      { type: "rewind", to, scope: "conversation" },
      ...chainOf(messages.slice(3), messages[1]?.uuid),
    ]);

    const { state: restored, messages: seen } = await loadSession(path);

    expect(restored.todos).toEqual(["before"]);
    expect(seen.map(({ content }) => textOf(content))).toEqual(["one", "two", "four"]);
  });

  test("usage and cost come from the ledger, and one unknown price makes the sum unknown", async () => {
    const entry = (model: string, costUsd: number | null): JournalEntry => ({
      type: "ledger",
      responseId: nextUuid(),
      attempt: 1,
      status: "ok",
      model: modelId(model),
      usage: usageOf(10, 1),
      costUsd,
      source: "main",
    });
    const known = await write([...chainOf([prompt("x")]), entry("a", 0.25), entry("a", 0.5), entry("b", 1)]);
    const { totals } = await loadSession(known);
    expect(totals).toEqual({
      usage: usageOf(30, 3),
      costUsd: 1.75,
      byModel: new Map([
        ["a", { usage: usageOf(20, 2), costUsd: 0.75 }],
        ["b", { usage: usageOf(10, 1), costUsd: 1 }],
      ]),
    });
    const unknown = await write([...chainOf([prompt("x")]), entry("a", 1), entry("b", null)], OTHER_SESSION);
    expect((await loadSession(unknown)).totals.costUsd).toBeNull();
  });

  test("without a ledger each answer of another writer is counted once", async () => {
    const path = recordedTranscript("fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl");
    const usageByAnswer = new Map<string, number>();
    for (const line of (await readFile(path, "utf8"))
      .trim()
      .split("\n")
      .map((text) => JSON.parse(text))) {
      if (line.type === "assistant") {
        usageByAnswer.set(`${line.message.id} ${line.requestId} ${line.isSidechain}`, line.message.usage.output_tokens);
      }
    }
    const { totals } = await loadSession(path);
    expect(totals.usage.output).toBe([...usageByAnswer.values()].reduce((sum, tokens) => sum + tokens, 0));
  });

  test("B5: an answer that broke off in its thinking loads as it was written, and is not sent", async () => {
    const thinking = { type: "thinking" as const, thinking: "hm", signature: "c2ln" };
    const broken = answer(thinking, { stopReason: null, usage: null });
    const path = await write(chainOf([prompt("one"), broken]));

    const session = await loadSession(path);
    const { messages } = repairHistory([...session.messages, prompt("go on")], { as: "request" });

    expect(session.messages.at(-1)).toMatchObject({ role: "assistant", content: [thinking], stopReason: null });
    expect([session.openToolUses, session.problems, session.leaf]).toEqual([[], [], broken.uuid]);
    expect(messages.flatMap(({ content }) => content.map(({ type }) => type))).not.toContain("thinking");
    expect(violations(messages.map(toApiMessage), { as: "request" })).toEqual([]);
  });

  test("a crash in the middle of a call leaves it open, with its intent", async () => {
    const intent: JournalEntry = {
      type: "intent",
      toolUseId: "toolu_1" as never,
      tool: "Bash",
      inputHash: "h",
      effect: "other",
    };
    const use = answer(call("toolu_1", "Bash", { command: "make" }));
    const path = await write([...chainOf([prompt("one"), use]), intent]);
    await appendFile(path, '{"type":"user","uuid":"torn');

    const { openToolUses, problems } = await loadSession(path);

    expect(openToolUses).toEqual([{ toolUse: use.content[0], assistantUuid: use.uuid, intent }]);
    expect(problems).toMatchObject([{ type: "torn" }]);
  });

  test("a session that a newer version wrote to is refused with both versions", async () => {
    const path = await write(chainOf([prompt("one")]));
    await appendFile(path, "rubbish\n".repeat(MAX_PROBLEMS));
    await appendFile(path, `${JSON.stringify({ type: "pawl", kind: "fold", v: 7, sessionId: SESSION })}\n`);
    await expect(loadSession(path)).rejects.toMatchObject({
      code: "session_newer",
      message: expect.stringMatching(
        /:1003: "fold" is of record version 7; this program knows 1\. Update this program/,
      ),
    });
  });

  test("a file that is not there is named", async () => {
    await expect(loadSession(home.path("none.jsonl"))).rejects.toMatchObject({
      code: "session_not_found",
      message: expect.stringMatching(/none\.jsonl: cannot read the session: ENOENT/),
    });
  });
});

describe("forking a session", () => {
  const fork = async (from: string, upTo?: string, title?: string) => {
    const to = await placeNewSession({ configHome: home.root, realCwd: "/w", sessionId: OTHER_SESSION });
    const options = { from, to, now: () => now() + 1_000 };
    return forkSession({
      ...options,
      ...(upTo === undefined ? {} : { upTo }),
      ...(title === undefined ? {} : { title }),
    });
  };
  const rawLines = async (path: string): Promise<Record<string, unknown>[]> =>
    (await readFile(path, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));

  test("the copy says the same under new uuids, remembers the old ones, and leaves the original alone", async () => {
    const messages = [prompt("one"), answer(call("toolu_1", "Read", {})), result("toolu_1", "text"), prompt("two")];
    const path = await write([...chainOf(messages), state("todos", ["x"])]);
    const before = await readFile(path, "utf8");

    const { file, sessionId } = await fork(path);

    expect(sessionId).toBe(OTHER_SESSION);
    expect(await textsOf(file)).toEqual(await textsOf(path));
    expect(await readFile(path, "utf8")).toBe(before);
    const [original, copy] = [await loadSession(path), await loadSession(file)];
    expect([copy.sessionId, copy.problems, copy.state.todos]).toEqual([OTHER_SESSION, [], ["x"]]);
    const uuids = (session: typeof copy) => session.messages.map(({ uuid }) => uuid);
    expect(uuids(copy).filter((uuid) => uuids(original).includes(uuid))).toEqual([]);

    const lines = await rawLines(file);
    const chain = lines.filter(({ uuid, type }) => uuid !== undefined && type !== "custom-title");
    expect(chain.map(({ forkedFrom }) => forkedFrom)).toEqual(
      messages.map(({ uuid }) => ({ sessionId: SESSION, messageUuid: uuid })),
    );
    expect(chain.map(({ parentUuid }) => parentUuid)).toEqual([null, ...chain.slice(0, -1).map(({ uuid }) => uuid)]);
    expect(chain.map(({ timestamp }) => timestamp)).toEqual([
      ...Array(3).fill(new Date(now()).toISOString()),
      new Date(now() + 1_000).toISOString(),
    ]);
    expect(lines.at(-1)).toMatchObject({ type: "custom-title", customTitle: "Forked session (fork)" });
  });

  test("it ends at the message that is asked for, with what was noted of it", async () => {
    const messages = [prompt("one"), answer({ type: "text", text: "two" }), prompt("three")];
    const [first, second, third] = chainOf(messages);
    if (!first || !second || !third) throw new Error("a message is missing");
    const path = await write([first, second, state("todos", ["kept"]), third, state("todos", ["left"])]);
    const copy = await loadSession((await fork(path, messages[1]?.uuid, "Branch")).file);
    expect(copy.messages.map(({ content }) => textOf(content))).toEqual(["one", "two"]);
    expect(copy.state.todos).toEqual(["kept"]);
  });

  test("an unknown message is refused and no file is made", async () => {
    const path = await write(chainOf([prompt("one")]));
    await expect(fork(path, "nowhere")).rejects.toMatchObject({ code: "session_not_found" });
    await expect(find(OTHER_SESSION)).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("compactions, changes of the projection and rewinds mean the same in the copy", async () => {
    const messages = [prompt("one"), answer({ type: "text", text: "two" }), prompt("three"), prompt("four")];
    const [one, two, three] = messages.map(({ uuid }) => uuid);
    if (!one || !two || !three) throw new Error("a message is missing");
    const summary = prompt("Summary.", { isCompactSummary: true });
    const uuid = nextUuid();
    const trigger = "auto" as const;
    const path = await write([
      ...chainOf(messages.slice(0, 2)),
      { type: "compact_boundary", uuid, logicalParent: two, trigger, preTokens: 5, summary, kept: [two] },
      ...chainOf(messages.slice(2, 3), summary.uuid),
      { type: "projection", op: "snip", refs: [two], reason: "test" },
      { type: "rewind", to: three, scope: "conversation" },
      ...chainOf(messages.slice(3), summary.uuid),
    ]);

    const copy = await fork(path);

    expect(await textsOf(copy.file)).toEqual(await textsOf(path));
    const old = (await loadSession(path)).entries;
    const text = JSON.stringify((await loadSession(copy.file)).entries);
    for (const known of [one, two, three, summary.uuid, uuid]) expect(text).not.toContain(`"${known}"`);
    expect(text).toContain('"op":"snip"');
    expect(old.length).toBe((await readTranscript(copy.file)).entries.length);
  });

  test("another writer's session: subagents and old progress lines are left out and stepped over", async () => {
    const name = "fe5e1c67-53e7-4862-81ae-d0e013e3270b.jsonl";
    await cp(recordedTranscript(name), home.path(name));
    const { entries, problems } = await readTranscript((await fork(home.path(name))).file);
    expect(problems).toEqual([]);
    expect(entries).toHaveLength(32);
    expect(entries.every((entry) => entry.type === "message" && !entry.isSidechain)).toBe(true);

    const progress = { type: "progress", uuid: "p", parentUuid: "u1", sessionId: SESSION };
    const line = {
      type: "user",
      uuid: "u1",
      parentUuid: null,
      sessionId: SESSION,
      message: { role: "user", content: "a" },
    };
    const next = { ...line, uuid: "u2", parentUuid: "p", teamName: undefined, slug: "s" };
    await home.write("p.jsonl", [line, progress, next].map((one) => `${JSON.stringify(one)}\n`).join(""));
    const to = await placeNewSession({ configHome: home.root, realCwd: "/p", sessionId: SESSION });
    const lines = await rawLines((await forkSession({ from: home.path("p.jsonl"), to, now })).file);
    expect(lines.map(({ type }) => type)).toEqual(["user", "user", "custom-title"]);
    expect(lines[1]).toMatchObject({ parentUuid: lines[0]?.["uuid"] });
    expect(lines[1]).not.toHaveProperty("slug");
  });

  test("a gap in the original is no gap in the copy", async () => {
    const messages = [prompt("one"), answer({ type: "text", text: "two" }), prompt("three")];
    const path = await write(chainOf(messages));
    const left = (await readFile(path, "utf8")).split("\n").filter((line) => !line.includes('"two"'));
    await writeFile(path, left.join("\n"));
    expect(await textsOf((await fork(path)).file)).toEqual(await textsOf(path));
  });
});
