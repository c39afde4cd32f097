import { readFile } from "node:fs/promises";
import { violations } from "@pawl/core";
import { expect, test } from "vitest";
import { lines, type Turn, turn } from "../scenarios/engine-harness.ts";
import type { Received } from "../support/loopback-server.ts";
import { type FaultyServer, faultyServer } from "./fault-mix.ts";
import { type LiveSession, liveSession } from "./live-session.ts";
import { beside, seeded } from "./seeded.ts";
import { FILES, isCompaction, lastStep, STEPS, UNITS } from "./ten-tools.ts";
import { bodyOf, expectContinued } from "./wire.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const SESSIONS = isLong ? 1_000 : 24;
const BESIDE = 6;
const FAULT_PERCENT = 40;
/** Of one round, whatever happens in it. */
const MAX_REQUESTS_PER_ROUND = 30;
/** Of one whole session under faults, whose hangs last longer in the long form. */
const MAX_SESSION_MS = isLong ? 240_000 : 60_000;
const LONG_TEST_MS = 3_600_000;
const LEAST_WORK = 0.3;

/** In the long form a busy machine must not pass for a slow server: what it has said would count as unread. */
const limits = { connect: 2_000, headers: isLong ? 3_000 : 1_000, stall: isLong ? 1_500 : 400, answer: 10_000 };
const tools = ["Read", "Glob", "Grep", "Write", "Edit", "Bash", "TodoWrite"];

type Left = { units: number; faults: ReadonlyMap<string, number>; requests: number; ms: number; outcome: string };

test(
  `${SESSIONS} sessions of ten tools under mixed faults end within the bound, lose no work that was done and no token, and go on`,
  async () => {
    const left: Left[] = [];
    await beside(
      BESIDE,
      Array.from({ length: SESSIONS }, (_, index) => index + 1),
      async (seed) => {
        left.push(await session(seed));
      },
    );

    const work = left.reduce((sum, { units }) => sum + units, 0) / (UNITS * SESSIONS);
    const played = left.flatMap(({ faults }) => [...faults.values()]).reduce((sum, count) => sum + count, 0);
    if (isLong) process.stdout.write(`${report(left, work, played)}\n`);
    expect(played).toBeGreaterThan(SESSIONS * 2);
    expect(work).toBeGreaterThanOrEqual(LEAST_WORK);
  },
  isLong ? LONG_TEST_MS : 120_000,
);

async function session(seed: number): Promise<Left> {
  const chance = seeded(seed);
  const what = `seed ${seed}`;
  await using server = await faultyServer(chance, FAULT_PERCENT);
  const fallbackModels = chance.percent(50) ? ["haiku"] : [];
  const allowed = { tools, permissionMode: "bypassPermissions", fallbackModels } as const;
  await using live = await liveSession(server.url, { ...allowed, limits, files: FILES });

  const startedAt = performance.now();
  const { result } = await turn(live.engine, "go");
  const ms = performance.now() - startedAt;
  expect(ms, what).toBeLessThan(MAX_SESSION_MS);
  const requests = server.received.length;
  const units = unitsOf(live, result);
  expect(requests, what).toBeLessThanOrEqual((units + 1) * MAX_REQUESTS_PER_ROUND);
  expect(violations(live.engine.messages), what).toEqual([]);

  server.heal();
  const next = await turn(live.engine, "go on");
  expect(next.result, what).toMatchObject({
    is_error: false,
    terminal_reason: "completed",
    result: "All ten are done.",
  });
  await expectEffectsOnce(live, what);
  expectPrefixes(server.received, what);
  await expectLedger(live, server, what);
  return { units, faults: server.faults, requests, ms, outcome: result.terminal_reason };
}

/** What was done of the session: its calls, and the last word. */
function unitsOf({ engine }: LiveSession, result: Turn["result"]): number {
  const messages = engine.messages.map(({ role, content }) => ({ role, content: [...content] as never[] }));
  return lastStep({ messages }) + (result.is_error ? 0 : 1);
}

/** No step that changes something was made twice, and none was left out. */
async function expectEffectsOnce({ root }: LiveSession, what: string): Promise<void> {
  const read = (name: string) => readFile(`${root}/${name}`, "utf8");
  expect(await read("effects.txt"), what).toBe("step-6\nstep-9\n");
  expect(await read("step-1.txt"), what).toBe("beta step-5\n");
  expect([await read("step-4.txt"), await read(`step-${STEPS}.txt`)], what).toEqual(["four", "ten"]);
}

/** Between two compactions each request continues the one before it. */
function expectPrefixes(received: readonly Received[], what: string): void {
  let run: Received[] = [];
  for (const request of received) {
    if (!isCompaction(bodyOf(request))) {
      run.push(request);
      continue;
    }
    expectContinued(run, what);
    run = [];
  }
  expectContinued(run, what);
}

/** The ledger has each response once, with what the server reported of it; the engine's sum is theirs. */
async function expectLedger({ engine }: LiveSession, { reported }: FaultyServer, what: string): Promise<void> {
  const entries = (await lines(engine.transcriptPath)).filter(
    (line) => line["type"] === "pawl" && line["kind"] === "ledger",
  );
  const ids = entries.map((entry) => String(entry["responseId"]));
  expect(new Set(ids).size, what).toBe(ids.length);
  for (const [id, { isSure }] of reported) if (isSure) expect(ids, `${what} ${id}`).toContain(id);
  let input = 0;
  let output = 0;
  for (const entry of entries) {
    const own = reported.get(String(entry["responseId"]));
    expect(entry["usage"], `${what} ${entry["responseId"]}`).toMatchObject({
      input_tokens: own?.input,
      output_tokens: own?.output,
    });
    input += own?.input ?? 0;
    output += own?.output ?? 0;
  }
  expect(engine.usage, what).toMatchObject({ input, output });
}

function report(left: readonly Left[], work: number, played: number): string {
  const outcomes = new Map<string, number>();
  for (const { outcome } of left) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  const slowest = Math.max(...left.map(({ ms }) => ms));
  const most = Math.max(...left.map(({ requests }) => requests));
  const ends = [...outcomes].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  return (
    `${left.length} sessions, ${played} faults: ${Math.round(work * 100)} % of the work, ${ends}; ` +
    `slowest ${Math.round(slowest)} ms, most requests ${most}`
  );
}
