import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AskTrust, TrustQuestion } from "@pawl/core";
import { afterAll, expect, test } from "vitest";
import { canTrace } from "../permissions/jail.ts";
import { removeTemplate } from "./hostile-folder.ts";
import { type Case, harm, hostileCase, noHarm, runEngine, runProgram } from "./run-in-folder.ts";
import { traps } from "./traps.ts";

const isLong = process.env["PAWL_LONG"] === "1";
/** Each kind at least once, and mixtures of them. */
const FOLDERS = isLong ? 200 : traps.length + 2;
/** Of these the built program is run in each so manieth, and watched by the system in each so manieth. */
const PROGRAM_EVERY = isLong ? 1 : 8;
const TRACE_EVERY = isLong ? 5 : 12;
const LONG_MS = 3_600_000;

afterAll(removeTemplate);

test("no kind is a name for another", () => {
  expect(new Set(traps.map(({ name }) => name)).size).toBe(traps.length);
});

/** Answers no, and keeps what was asked. */
function refusing(): { questions: TrustQuestion[]; askTrust: AskTrust } {
  const questions: TrustQuestion[] = [];
  const askTrust = async (question: TrustQuestion) => {
    questions.push(question);
    return "no" as const;
  };
  return { questions, askTrust };
}

/** What of a question is left out by a no; what git would start is asked about when it is to run. */
const leftOut = ({ items }: TrustQuestion) =>
  items.filter(({ place, key }) => !["content", "(included)"].includes(key) && !/\/\.git\//.test(place));

const nameOf = (at: Case, seed: number) => `folder ${seed}: ${at.traps.map(({ name }) => name).join(" + ")}`;

test(`${FOLDERS} hostile folders do nothing before consent, and what they are there for after it`, {
  timeout: LONG_MS,
}, async () => {
  for (let seed = 0; seed < FOLDERS; seed++) {
    await using at = await hostileCase(seed);
    const what = nameOf(at, seed);
    if (isLong || seed % 2 === 0) expect(harm(await runEngine(at)), `${what}, without a question`).toEqual(noHarm);

    const { askTrust, questions } = refusing();
    const refused = await runEngine(at, { askTrust });
    expect(harm(refused), `${what}, refused`).toEqual(noHarm);
    for (const { place } of questions.flatMap(leftOut)) expect(refused.text, what).toContain(`${place}: left out`);

    const trusted = await runEngine(at, { trustFolder: true });
    for (const { name, worked } of at.traps)
      expect(worked?.(trusted, at.folder) ?? true, `${what}: ${name}, trusted`).toBe(true);
  }
});

test("the built program does nothing in a folder it does not know, and with --trust what the folder is there for", {
  timeout: LONG_MS,
}, async () => {
  for (let seed = 0; seed < FOLDERS; seed += PROGRAM_EVERY) {
    await using at = await hostileCase(seed);
    const what = nameOf(at, seed);
    const unknown = await runProgram(at);
    expect(harm(unknown), what).toEqual(noHarm);
    expect(unknown.text, what).toContain('"type":"result"');

    const trusted = await runProgram(at, ["--trust"]);
    for (const { name, group, worked } of at.traps) {
      if (group === "model") continue; // the model is given by a flag, which no folder changes
      expect(worked?.(trusted, at.folder) ?? true, `${what}: ${name}, --trust`).toBe(true);
    }
  }
});

test.skipIf(!canTrace())(
  "the system sees no start out of the folder, no connection and no write in it",
  {
    timeout: LONG_MS,
  },
  async () => {
    const log = await mkdtemp(join(tmpdir(), "pawl-trace-"));
    try {
      for (let seed = 0; seed < FOLDERS; seed += TRACE_EVERY) {
        await using at = await hostileCase(seed);
        const file = join(log, String(seed));
        const trace = ["strace", "-f", "-qq", "-s", "300", "-e", "trace=execve,execveat,connect,%file", "-o", file];
        await runProgram(at, [], trace);
        expect(suspicious(await readFile(file, "utf8"), at), nameOf(at, seed)).toEqual([]);
      }
    } finally {
      await rm(log, { recursive: true });
    }
  },
);

/** Successful calls of the system that nothing but the folder can have caused. */
function suspicious(trace: string, { folder }: Case): string[] {
  const lines = trace.split("\n").filter((line) => !/ = -1 E/.test(line));
  return lines.filter((line) => {
    if (/ (?:execve|execveat)\(/.test(line))
      return /\((?:\w+, )?"(?!\/)/.test(line) || line.includes(`"${folder.root}/`);
    if (/ connect\(/.test(line)) return /AF_INET/.test(line);
    const writes =
      /O_WRONLY|O_RDWR|O_CREAT| (?:unlink|rename|mkdir|rmdir|link|symlink|truncate|chmod|chown|mknod|utime)/;
    return writes.test(line) && line.includes(`"${folder.root}`);
  });
}

test("the trace would show it: a folder that is trusted is seen to start its program", {
  timeout: LONG_MS,
}, async () => {
  if (!canTrace()) return;
  const seed = traps.findIndex(({ name }) => name === "a rule that allows a script of the folder");
  await using at = await hostileCase(seed);
  const file = join(at.folder.place, "trace");
  const trace = ["strace", "-f", "-qq", "-s", "300", "-e", "trace=execve,connect,%file", "-o", file];
  await runProgram(at, ["--trust"], trace);
  expect(suspicious(await readFile(file, "utf8"), at).join("\n")).toContain("tool.sh");
});
