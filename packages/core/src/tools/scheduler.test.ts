import { beforeAll, describe, expect, test } from "vitest";
import { type HeldClock, heldClock } from "../testing/held-clock.ts";
import { nextCronTime } from "./cron-time.ts";
import { createScheduler, MAX_JOBS, RECURRING_LIFETIME_MS, type ScheduledJob, type Scheduler } from "./scheduler.ts";

const MINUTE = 60_000;

// The held clock does not wait for the library to load.
beforeAll(() => nextCronTime("* * * * *", 0));

type Fired = { prompt: string; atMinute: number; isLate: boolean; isLast: boolean };

type Told = { has(noticeId: string): boolean };
const all: Told = { has: () => true };

function setup(stored?: unknown, clock: HeldClock = heldClock(), told: Told = all) {
  const fired: Fired[] = [];
  const saved: (readonly ScheduledJob[])[] = [];
  const start = clock.now();
  let count = 0;
  const scheduler = createScheduler(
    {
      ...{ now: clock.now, sleep: clock.sleep },
      newId: () => {
        count += 1;
        return `c${count}`;
      },
      fire: ({ prompt }, about) => {
        fired.push({ prompt, atMinute: (clock.now() - start) / MINUTE, ...about });
        return `n${fired.length}`;
      },
      isTold: (noticeId) => told.has(noticeId),
      save: async (durable) => void saved.push(durable),
    },
    stored,
  );
  return { clock, scheduler, fired, saved };
}

const wakeup = (prompt: string, nextAt: number) =>
  ({ prompt, schedule: { type: "wakeup" }, nextAt, durable: false }) as const;

const everyTen = (clock: HeldClock, more: { recurring?: boolean; durable?: boolean } = {}) => ({
  ...{ prompt: "look", nextAt: clock.now() + 10 * MINUTE, durable: more.durable ?? false },
  schedule: { type: "cron", cron: "*/10 * * * *", recurring: more.recurring ?? true } as const,
});

const onTime = { isLate: false, isLast: false };

test("a wake-up comes once, at its time", async () => {
  const { clock, scheduler, fired } = setup();
  await scheduler.add(wakeup("go on", clock.now() + 5 * MINUTE));
  await clock.advance(4 * MINUTE);
  expect(fired).toEqual([]);
  await clock.advance(60 * MINUTE);
  expect(fired).toEqual([{ prompt: "go on", atMinute: 5, isLate: false, isLast: true }]);
  expect(scheduler.list()).toEqual([]);
});

test("a new wake-up takes the place of the one before, and of no cron job", async () => {
  const { clock, scheduler, fired } = setup();
  await scheduler.add(everyTen(clock));
  await scheduler.add(wakeup("first", clock.now() + 5 * MINUTE));
  await scheduler.add(wakeup("second", clock.now() + 3 * MINUTE));
  await clock.advance(11 * MINUTE);
  expect(fired.map(({ prompt, atMinute }) => [prompt, atMinute])).toEqual([
    ["second", 3],
    ["look", 10],
  ]);
});

test("a recurring job comes at each of its times and ends with its lifetime", async () => {
  const { clock, scheduler, fired } = setup();
  await scheduler.add(everyTen(clock));
  await clock.advance(30 * MINUTE);
  expect(fired).toEqual([10, 20, 30].map((atMinute) => ({ prompt: "look", atMinute, ...onTime })));

  await clock.advance(RECURRING_LIFETIME_MS);
  expect(fired.at(-1)).toMatchObject({ atMinute: RECURRING_LIFETIME_MS / MINUTE, isLast: true });
  expect(scheduler.list()).toEqual([]);
});

test("one that does not recur comes once", async () => {
  const { clock, scheduler, fired } = setup();
  await scheduler.add(everyTen(clock, { recurring: false }));
  await clock.advance(60 * MINUTE);
  expect(fired).toEqual([{ prompt: "look", atMinute: 10, isLate: false, isLast: true }]);
});

test("a removed job does not come, and neither does any after the end", async () => {
  const { clock, scheduler, fired } = setup();
  const job = await scheduler.add(everyTen(clock));
  expect(await scheduler.remove(job?.id ?? "")).toBe(true);
  expect(await scheduler.remove("c99")).toBe(false);
  await scheduler.add(wakeup("go on", clock.now() + MINUTE));
  scheduler.close();
  await clock.advance(60 * MINUTE);
  expect(fired).toEqual([]);
  expect(clock.sleeping()).toBe(0);
});

test("durable jobs are saved at each change; one that was missed meanwhile comes once, marked as late", async () => {
  const { clock, scheduler, saved } = setup();
  await scheduler.add(everyTen(clock, { durable: true }));
  await scheduler.add(wakeup("not kept", clock.now() + MINUTE));
  scheduler.close();
  const [job] = saved.at(-1) ?? [];
  expect(job).toMatchObject({ prompt: "look", durable: true });
  expect(saved.at(-1)).toHaveLength(1);

  const later = setup(saved.at(-1), heldClock({ startMs: clock.now() + 35 * MINUTE }));
  await later.clock.advance(6 * MINUTE);
  expect(later.fired).toEqual([
    { prompt: "look", atMinute: 0, isLate: true, isLast: false },
    { prompt: "look", atMinute: 5, ...onTime },
  ]);
  later.scheduler.close();
});

test("a job whose notice nobody has read does not come again before that", async () => {
  const told = new Set<string>();
  const { clock, scheduler, fired } = setup(undefined, heldClock(), told);
  await scheduler.add(everyTen(clock));
  await clock.advance(35 * MINUTE);
  expect(fired.map(({ atMinute }) => atMinute)).toEqual([10]);
  told.add("n1");
  await clock.advance(10 * MINUTE);
  expect(fired.map(({ atMinute }) => atMinute)).toEqual([10, 40]);
  scheduler.close();
});

describe("a durable job that came right before the end", () => {
  async function resumed(recurring: boolean, wasGiven: boolean) {
    const before = setup(undefined, heldClock(), new Set<string>());
    await before.scheduler.add(everyTen(before.clock, { durable: true, recurring }));
    await before.clock.advance(12 * MINUTE);
    before.scheduler.close();
    const clock = heldClock({ startMs: before.clock.now() + 3 * MINUTE });
    const told = new Set(wasGiven ? ["n1"] : []);
    const after = setup(before.saved.at(-1), clock, told);
    await clock.advance(6 * MINUTE);
    after.scheduler.close();
    return after.fired.map(({ atMinute, isLate }) => [atMinute, isLate]);
  }

  test("comes again when the model was not given it", async () => {
    expect(await resumed(false, false)).toEqual([[0, true]]);
    expect(await resumed(true, false)).toEqual([[0, true]]);
  });

  test("comes only at its next time when it was", async () => {
    expect(await resumed(false, true)).toEqual([]);
    expect(await resumed(true, true)).toEqual([[5, false]]);
  });
});

test("of a job that was given and then missed twice, one comes, late", async () => {
  const clock = heldClock();
  const nextAt = clock.now() - 25 * MINUTE;
  const job = { ...everyTen(clock, { durable: true }), id: "c1", createdAt: nextAt, nextAt, noticeId: "n9" };
  const { scheduler, fired } = setup([job], clock, new Set(["n9"]));
  await clock.advance(MINUTE);
  expect(fired).toEqual([{ prompt: "look", atMinute: 0, isLate: true, isLast: false }]);
  scheduler.close();
});

test("a stored job whose expression is none comes once, and the others go on", async () => {
  const clock = heldClock();
  const { schedule, ...other } = everyTen(clock, { durable: true });
  const bad = { ...other, id: "c8", createdAt: 0, nextAt: 0, schedule: { ...schedule, cron: "never mind" } };
  const good = { ...other, id: "c9", createdAt: clock.now(), schedule, prompt: "good" };
  const { scheduler, fired } = setup([bad, good], clock);
  await clock.advance(11 * MINUTE);
  expect(fired.map(({ prompt, isLast }) => [prompt, isLast])).toEqual([
    ["look", true],
    ["good", false],
  ]);
  scheduler.close();
});

test("there is a most of jobs", async () => {
  const { clock, scheduler } = setup();
  const added = await addMany(scheduler, clock, MAX_JOBS + 1);
  expect(added.filter((job) => job === undefined)).toHaveLength(1);
  expect(scheduler.list()).toHaveLength(MAX_JOBS);
});

async function addMany(scheduler: Scheduler, clock: HeldClock, count: number) {
  const added = [];
  for (let at = 0; at < count; at += 1) added.push(await scheduler.add(everyTen(clock)));
  return added;
}

test.each([
  [null],
  ["old"],
  [[{ id: 1 }, null, { id: "a", prompt: "p", schedule: { type: "odd" }, nextAt: 1 }]],
  [
    [
      {
        id: "a",
        prompt: "p",
        schedule: { type: "cron", cron: "* * * * *", recurring: true },
        durable: true,
        nextAt: 9e15,
        createdAt: 1,
      },
    ],
  ],
])("stored jobs of another form count as none: %j", async (stored) => {
  const { clock, scheduler, fired } = setup(stored);
  await clock.advance(MINUTE);
  expect([scheduler.list(), fired]).toEqual([[], []]);
});
