/** A clock that moves only when told to. */
export type HeldClock = {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves once the clock has moved on by `ms`, or at once when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Moves on by `ms`, waking sleepers in the order of their times; what they do next is given a chance to run between. */
  advance(ms: number): Promise<void>;
  /** What was asked of `sleep`, in order. Milliseconds. */
  readonly sleeps: readonly number[];
  /** How many sleep now. */
  sleeping(): number;
};

export type HeldClockOptions = {
  /** Milliseconds since the epoch. */
  startMs?: number;
  /** Each sleep moves the clock on by its length and ends at once: for code that must not be waited for. */
  isSelfAdvancing?: boolean;
};

const START_MS = Date.UTC(2026, 0, 1);

/** Turns of the event loop that a woken sleeper gets before the clock goes on. */
const TURNS_AFTER_WAKING = 10;

/**
 * @example
 * const clock = heldClock();
 * const waiting = clock.sleep(60_000);
 * await clock.advance(60_000);
 * await waiting;
 */
export function heldClock({ startMs = START_MS, isSelfAdvancing = false }: HeldClockOptions = {}): HeldClock {
  const sleepers = new Set<Sleeper>();
  const sleeps: number[] = [];
  let nowMs = startMs;

  async function advance(ms: number): Promise<void> {
    const targetMs = nowMs + ms;
    await otherWork();
    for (let next = firstDue(sleepers, targetMs); next !== undefined; next = firstDue(sleepers, targetMs)) {
      nowMs = Math.max(nowMs, next.dueMs);
      next.wake();
      await otherWork();
    }
    nowMs = Math.max(nowMs, targetMs);
  }

  async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    sleeps.push(ms);
    if (signal?.aborted) return;
    if (isSelfAdvancing) nowMs += ms;
    if (isSelfAdvancing || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const sleeper = { dueMs: nowMs + ms, wake };
      sleepers.add(sleeper);
      signal?.addEventListener("abort", wake, { once: true });
      function wake() {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      }
    });
  }

  return { now: () => nowMs, sleep, advance, sleeps, sleeping: () => sleepers.size };
}

type Sleeper = { dueMs: number; wake(): void };

function firstDue(sleepers: ReadonlySet<Sleeper>, untilMs: number): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) {
    if (sleeper.dueMs <= untilMs && (first === undefined || sleeper.dueMs < first.dueMs)) first = sleeper;
  }
  return first;
}

async function otherWork(): Promise<void> {
  for (let turn = 0; turn < TURNS_AFTER_WAKING; turn++) await new Promise((resolve) => setImmediate(resolve));
}
