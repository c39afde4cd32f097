import { readdirSync, readFileSync } from "node:fs";
import { createEngine, type EngineOptions, violations } from "@pawl/core";
import { says, scriptedModel, thinks, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { place, turn } from "./engine-harness.ts";

/** A session of ten tools: reads, edits, a search, and commands with children of every kind. */
const session = (mark: string) => [
  [thinks("hm"), uses("Read", { file_path: "a.txt" }), uses("Glob", { pattern: "*" })],
  [says("Now."), uses("Bash", { command: `sleep 30.${mark} & sleep 0.05` }), uses("Read", { file_path: "a.txt" })],
  [uses("Edit", { file_path: "a.txt", old_string: "alpha", new_string: "beta" }), uses("Grep", { pattern: "beta" })],
  [
    uses("Bash", { command: `(sleep 31.${mark}; true) | cat & sleep 0.1` }),
    uses("Write", { file_path: "b.txt", content: "x" }),
  ],
  [uses("TodoWrite", { todos: [{ content: "a", status: "pending", activeForm: "a" }] })],
  [uses("Bash", { command: "true" })],
  says("Done."),
];

const model = (mark: string) => scriptedModel([...session(mark), says("I go on.")]);

const optionsFor = (at: { options: EngineOptions }, mark: string): EngineOptions => ({
  ...at.options,
  model: model(mark),
  permissionMode: "bypassPermissions",
  includePartialMessages: false,
});

/** Command lines of living processes that hold the mark. */
function living(mark: string): string[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      return command.includes(`.${mark}`) && command.startsWith("sleep") ? [command] : [];
    } catch {
      return []; // it has ended meanwhile
    }
  });
}

async function frameCount(): Promise<number> {
  await using at = await place({ "a.txt": "alpha\n" });
  const engine = await createEngine(optionsFor(at, "count"));
  const { frames } = await turn(engine, "go");
  await engine.close();
  return frames.length;
}

const isLinux = process.platform === "linux";
const marked = (kind: string, index: number) => `${process.pid}${kind}${index}`;

test.runIf(isLinux)(
  "aborting at every frame leaves no child after 1 s, a result for every call, and a session that goes on",
  async () => {
    const count = await frameCount();
    expect(count).toBeGreaterThan(20);
    await leaveAtEach(count, "1");
  },
  120_000,
);

test.runIf(isLinux)(
  "`return()` at every frame leaves the same clean state",
  async () => {
    const count = await frameCount();
    await leaveAtEach(count, "2");
  },
  120_000,
);

/** Sessions that are left at the same time: they mostly wait. */
const BESIDE = 8;

async function leaveAtEach(count: number, kind: "1" | "2"): Promise<void> {
  for (let first = 1; first < count; first += BESIDE) {
    const indexes = Array.from({ length: Math.min(BESIDE, count - first) }, (_, offset) => first + offset);
    await Promise.all(indexes.map((index) => leaveAt(index, kind)));
  }
}

async function leaveAt(index: number, kind: "1" | "2"): Promise<void> {
  await using at = await place({ "a.txt": "alpha\n" });
  const mark = marked(kind, index);
  const engine = await createEngine(optionsFor(at, mark));
  let seen = 0;
  for await (const _frame of engine.submitMessage("go")) {
    seen++;
    if (seen !== index) continue;
    if (kind === "2") break;
    engine.interrupt();
  }

  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(violations(engine.messages), `left at ${index}`).toEqual([]);
  // The scripted model refuses a request that breaks the API's rules.
  const next = await turn(engine, "go on");
  expect(next.result, `left at ${index}`).toMatchObject({ terminal_reason: "completed", is_error: false });
  await engine.close();
  expect(living(mark), `left at ${index}`).toEqual([]);
}

test.runIf(isLinux)(
  "an abort ends a command that ignores TERM and one that left its session, within a second",
  async () => {
    await using at = await place();
    const mark = marked("3", 0);
    const command = `trap '' TERM; setsid sh -c "trap '' TERM; sleep 40.${mark}" & sleep 41.${mark}`;
    const engine = await createEngine({
      ...at.options,
      model: scriptedModel([uses("Bash", { command })]),
      allowedTools: ["Bash"],
    });
    setTimeout(() => engine.interrupt("SIGTERM"), 300);

    const { result } = await turn(engine, "go");
    const startedAt = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 100));

    expect(result).toMatchObject({ terminal_reason: "aborted_tools", errors: ["Interrupted by SIGTERM"] });
    expect(living(mark)).toEqual([]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
    await engine.close();
  },
);
