import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { analyzeCommand } from "../../src/shell/analysis/analyze-command.ts";
import { programOf, withStarted } from "../../src/shell/analysis/simple-command.ts";
import { dailyCommands } from "./daily-commands.ts";
import { generateCommand, generatedPrograms } from "./generate-commands.ts";
import { canTrace, runCommand, traceCommand, treeState } from "./jail.ts";
import { seededRandom } from "./random.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const GENERATED = isLong ? 100_000 : 3_000;
const RUN = isLong ? Number.POSITIVE_INFINITY : 150;
const SEED = Number(process.env["PAWL_SEED"] ?? 1);
const DAILY_STEP = isLong ? 1 : 15;
const TIMEOUT_MS = isLong ? 4 * 60 * 60 * 1000 : 110_000;

/** The long form takes a while: it says how far it is. */
const tell = (text: string): void => {
  if (isLong) process.stdout.write(`${text}\n`);
};

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
  const run = (...[program, ...args]: string[]) => spawnSync(program ?? "", args, { cwd: workspace.cwd });
  run("tar", "-cf", "archive.tar", "src");
  run("tar", "-czf", "packed.tar", "src"); // the name does not say so
  for (const name of ["packed.tgz", "packed.tar.gz"]) run("tar", "-czf", name, "src");
  run("bash", "-c", "xz -k < notes.txt > packed.xz; bzip2 < notes.txt > packed.bz2; zip -q packed.zip notes.txt");
  run("git", "init", "-q");
  run("git", "add", ".");
  run("git", "-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-qm", "first");
});
afterAll(() => workspace.remove());

test("the generator knows many programs and composes many commands", () => {
  const random = seededRandom(SEED);
  const all = Array.from({ length: 1_000 }, () => generateCommand(random));
  expect(generatedPrograms.length).toBeGreaterThanOrEqual(60);
  expect(all.filter(({ isComposed }) => isComposed).length).toBeGreaterThanOrEqual(400);
});

/** Of programs that are a script around another one, or unpack what is named so: that one. */
const behind: Readonly<Record<string, string>> = {
  egrep: "grep",
  fgrep: "grep",
  zcat: "gzip",
  gunzip: "gzip",
  tar: "gzip",
  dpkg: "dpkg-query",
  npm: "node",
};

/** Shell builtins need no program; a program may be started by the shell that its own file names. */
const namesIn = (line: string): ReadonlySet<string> =>
  new Set(
    withStarted(analyzeCommand(line).commands)
      .map((command) => programOf(command))
      .flatMap((program) => [program, behind[program] ?? program]),
  );

/** The lines that did more than read, and what they did. */
async function exceptionsAmong(lines: readonly string[]): Promise<string[]> {
  const home = join(workspace.root, "home");
  const before = await treeState(workspace.root);
  const isTracing = canTrace();
  const exceptions: string[] = [];
  for (const [at, line] of lines.entries()) {
    if (at % 1_000 === 0) tell(`${at} of ${lines.length} run, ${exceptions.length} exceptions`);
    if (!isTracing) {
      runCommand(line, workspace.cwd, home);
      if (!isLong && (await treeState(workspace.root)) !== before) exceptions.push(line);
      continue;
    }
    const { programs, writes } = await traceCommand(line, workspace.cwd, home);
    const named = namesIn(line);
    const unnamed = programs.filter((program) => !named.has(program));
    if (unnamed.length > 0 || writes.length > 0) exceptions.push(`${line}: ${[...unnamed, ...writes].join(", ")}`);
  }
  return exceptions;
}

test(
  "commands of daily work that are allowed change no file and start no program but those they name",
  async () => {
    const allowed: string[] = [];
    for (const line of dailyCommands) if ((await workspace.decide(line)).behavior === "allow") allowed.push(line);
    const before = await treeState(workspace.root);
    expect(await exceptionsAmong(allowed.filter((_, at) => at % DAILY_STEP === SEED % DAILY_STEP))).toEqual([]);
    expect(await treeState(workspace.root)).toBe(before);
  },
  TIMEOUT_MS,
);

test(
  "what is allowed as reading changes no file and starts no program but those it names",
  async () => {
    const random = seededRandom(SEED);
    const lines = Array.from({ length: GENERATED }, () => generateCommand(random).line);
    const allowedLines: string[] = [];
    for (const line of lines) if ((await workspace.decide(line)).behavior === "allow") allowedLines.push(line);
    expect(allowedLines.length).toBeGreaterThanOrEqual(GENERATED / 5);
    // What was generated twice needs to be run once: the folder stays as it is.
    const allowed = [...new Set(allowedLines)];
    tell(`${lines.length} generated, ${allowedLines.length} allowed, ${allowed.length} different ones to run`);

    const before = await treeState(workspace.root);
    const step = Math.max(1, Math.floor(allowed.length / RUN));
    const exceptions = await exceptionsAmong(allowed.filter((_, at) => at % step === 0));
    expect(exceptions).toEqual([]);
    expect(await treeState(workspace.root)).toBe(before);
  },
  TIMEOUT_MS,
);
