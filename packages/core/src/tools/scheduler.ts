import { isRecord } from "../messages/api-shape.ts";
import { nextCronTime } from "./cron-time.ts";

/** Jobs that one session may have waiting. */
export const MAX_JOBS = 50;
/** A recurring job ends this long after it was made: one that nobody remembers must not go on for ever. Milliseconds. */
export const RECURRING_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;
/** One that comes this long after its time is marked as late. Milliseconds. */
const LATE_AFTER_MS = 60_000;
/** The longest single wait: a clock that was set, or a machine that slept, is noticed after it. Milliseconds. */
const MAX_WAIT_MS = 60_000;

/** A prompt that comes by itself at a time. */
export type ScheduledJob = {
  readonly id: string;
  readonly prompt: string;
  readonly schedule: { type: "wakeup"; reason?: string } | { type: "cron"; cron: string; recurring: boolean };
  /** Milliseconds since the epoch. */
  readonly nextAt: number;
  readonly createdAt: number;
  /** Kept for a resumed session. */
  readonly durable: boolean;
  /** It has come, as this notice, which the model may not have been given yet. */
  readonly noticeId?: string;
};

/** The part of the session's state that holds the durable jobs. */
export const SCHEDULE_PART = "schedule";

/** The scheduled prompts of one session. */
export interface Scheduler {
  /** Undefined: there is no room, see `MAX_JOBS`. A wake-up takes the place of the one before. */
  add(job: Omit<ScheduledJob, "id" | "createdAt">): Promise<ScheduledJob | undefined>;
  /** Whether there was one of that id. */
  remove(id: string): Promise<boolean>;
  /** The next one first. */
  list(): readonly ScheduledJob[];
  close(): void;
}

export type SchedulerDeps = {
  now(): number;
  /** Resolves after the time, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  newId(): string;
  /** Gives the id of the notice to the model, undefined when there is no room for one. */
  fire(job: ScheduledJob, about: { isLate: boolean; isLast: boolean }): string | undefined;
  /** Whether the model has been given the notice, for good. */
  isTold(noticeId: string): boolean;
  save(durable: readonly ScheduledJob[]): Promise<void>;
};

/**
 * A job that has come stays as it was, in what is saved, until the model has been given it: what a crash or the end of the session
 * keeps from the model comes again, and what it has been given does not.
 *
 * @param stored the durable jobs of a resumed session: what was missed fires once, at once.
 */
export function createScheduler(deps: SchedulerDeps, stored: unknown): Scheduler {
  const jobs = new Map(storedJobs(stored).map((job) => [job.id, job]));
  /** Those whose notice may still wait, as they were when they came. */
  const untold = new Map<string, ScheduledJob & { noticeId: string }>();
  let alarm = new AbortController();
  let isRunning = false;
  let isClosed = false;

  /** One at a time, so that no job fires twice. */
  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (jobs.size > 0 && !isClosed) {
      alarm = new AbortController();
      const next = Math.min(...[...jobs.values()].map(({ nextAt }) => nextAt));
      await deps.sleep(Math.min(MAX_WAIT_MS, Math.max(0, next - deps.now())), alarm.signal);
      if (!isClosed) await fireDue();
    }
    isRunning = false;
  }

  async function fireDue(): Promise<void> {
    const now = deps.now();
    const due = [...jobs.values()].filter(({ nextAt }) => nextAt <= now);
    for (const job of due) {
      const wasGiven = job.noticeId !== undefined && deps.isTold(job.noticeId); // before this session was resumed
      const next = await following(job, wasGiven ? job.nextAt : now);
      if (!jobs.has(job.id)) continue; // it was deleted meanwhile
      if (next === undefined) jobs.delete(job.id);
      else jobs.set(job.id, next);
      if (!wasGiven) fire(job, { isLate: now - job.nextAt >= LATE_AFTER_MS, isLast: next === undefined });
    }
    if (due.length > 0) await save();
  }

  /** Not again while the model has not read it: a session that nobody looks at would fill with copies. */
  function fire(job: ScheduledJob, about: { isLate: boolean; isLast: boolean }): void {
    forgetTold();
    if (untold.has(job.id)) return;
    const noticeId = deps.fire(job, about);
    if (noticeId !== undefined) untold.set(job.id, { ...job, noticeId });
  }

  function forgetTold(): void {
    for (const { id, noticeId } of untold.values()) if (deps.isTold(noticeId)) untold.delete(id);
  }

  /** A journal that cannot be written fails the turn that is told of it. */
  async function save(): Promise<void> {
    forgetTold();
    const durable = [...new Map([...jobs, ...untold]).values()].filter((job) => job.durable);
    await deps.save(durable).catch(() => {});
  }

  function rearm(): void {
    alarm.abort();
    void run();
  }

  void run();
  return {
    async add(about) {
      if (about.schedule.type === "wakeup") {
        for (const { id, schedule } of jobs.values()) if (schedule.type === "wakeup") jobs.delete(id);
      }
      if (jobs.size >= MAX_JOBS) return undefined;
      const job = { ...about, id: deps.newId(), createdAt: deps.now() };
      jobs.set(job.id, job);
      await save();
      rearm();
      return job;
    },
    async remove(id) {
      const isThere = jobs.delete(id);
      if (untold.delete(id) || isThere) await save();
      rearm();
      return isThere;
    },
    list: () => [...jobs.values()].sort((a, b) => a.nextAt - b.nextAt),
    close() {
      isClosed = true;
      alarm.abort();
    },
  };
}

/** The job as it stands after it has fired; undefined when that was the last time. */
async function following(
  { noticeId: _, ...job }: ScheduledJob,
  now: number,
): Promise<Omit<ScheduledJob, "noticeId"> | undefined> {
  if (job.schedule.type === "wakeup" || !job.schedule.recurring) return undefined;
  const nextAt = await nextCronTime(job.schedule.cron, now).catch(() => undefined); // stored by another version
  return nextAt === undefined || nextAt > job.createdAt + RECURRING_LIFETIME_MS ? undefined : { ...job, nextAt };
}

/** What was stored, as it may come from a session of another version: what does not fit is left out. */
function storedJobs(stored: unknown): ScheduledJob[] {
  return Array.isArray(stored) ? stored.filter(isJob).slice(0, MAX_JOBS) : [];
}

function isJob(value: unknown): value is ScheduledJob {
  if (!isRecord(value) || !isRecord(value["schedule"])) return false;
  const { id, prompt, nextAt, createdAt, durable, noticeId = "", schedule } = value;
  const isCron = schedule["type"] === "cron" && isText(schedule["cron"]) && typeof schedule["recurring"] === "boolean";
  return [id, prompt, noticeId].every(isText) && [nextAt, createdAt].every(isTime) && durable === true && isCron;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isTime = (value: unknown): boolean => typeof value === "number" && Number.isFinite(new Date(value).getTime());
