import { readdir } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { type WriterProgram, writerProgram } from "../../test/support/transcript-writer.ts";
import { SESSION, writing } from "../../test/support/transcripts.ts";
import { type TempWorkspace, tempWorkspace } from "../testing/temp-workspace.ts";
import { openTranscript } from "./jsonl-writer.ts";
import { candidateFolders } from "./project-folder.ts";
import { readTranscript } from "./reader.ts";

const CRASHES = 10;

let program: WriterProgram;
beforeAll(async () => {
  program = await writerProgram();
});
afterAll(() => program[Symbol.asyncDispose]());

let home: TempWorkspace;
beforeEach(async () => {
  home = await tempWorkspace();
  onTestFinished(home.remove);
});

const folder = () => candidateFolders(home.root, "/w")[0];
const place = () => ({ sessionId: SESSION, file: join(folder(), `${SESSION}.jsonl`) });
async function written() {
  const { entries, ...transcript } = await readTranscript(place().file);
  return { ...transcript, values: entries.map((entry) => (entry.type === "state" ? entry.value : entry.type)) };
}

test(`a writer killed at ${CRASHES} different instants loses nothing it had acknowledged, and the next one goes on`, async () => {
  let before = 0;
  for (let crash = 0; crash < CRASHES; crash++) {
    await using writer = program.start(home.root);
    await writer.started;
    await sleep(crash * 7);
    await writer.kill();

    const { values, problems, fence } = await written();
    const own = values.slice(before);

    expect(own.length).toBeGreaterThan(writer.acknowledged());
    expect(own).toEqual(own.map((_, at) => at));
    expect(problems.filter(({ type }) => type !== "not_json" && type !== "torn")).toEqual([]);
    expect(problems.length).toBeLessThanOrEqual(crash + 1); // at most one torn line for each kill
    expect(fence).toBe(crash + 1);
    before = values.length;
  }
}, 60_000);

test("a file that may not grow any more keeps all that was acknowledged, and the writer says what is wrong", async () => {
  await using writer = program.start(home.root, { maxFileBlocks: 64 });
  await writer.closed;

  const { values, problems } = await written();

  expect(writer.failure()).toMatch(new RegExp(`^failed: transcript_write .*${SESSION}\\.jsonl: .*EFBIG`));
  expect(values).toEqual(Array.from({ length: writer.acknowledged() + 1 }, (_, at) => at));
  expect(problems.map(({ type }) => type)).toEqual(["torn"]);
});

test("a second process is refused, told who has the session, and let in when the first is dead", async () => {
  await using writer = program.start(home.root);
  await writer.started;

  await expect(openTranscript({ place: place(), ...writing })).rejects.toMatchObject({
    code: "session_in_use",
    message: expect.stringMatching(
      `Session ${SESSION} is in use by process ${writer.child.pid} on ${hostname()}: .*--fork-session.*delete .*\\.lock`,
    ),
  });
  await writer.kill();
  const store = await openTranscript({ place: place(), ...writing });
  await store.append({ type: "state", part: "notes", value: "mine now" });
  await store.close();

  expect((await written()).values.at(-1)).toBe("mine now");
  expect((await readdir(folder())).filter((name) => name.includes(".lock"))).toEqual([]);
});
