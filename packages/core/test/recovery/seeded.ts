/** Chance that a seed repeats. */
export type Chance = {
  /** A whole number from 0, below `bound`. */
  below(bound: number): number;
  pick<T>(from: readonly T[]): T;
  /** True so many times out of a hundred. */
  percent(percent: number): boolean;
};

export function seeded(seed: number): Chance {
  let state = seed >>> 0;
  // Mulberry32: short, and good enough to spread cases.
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number) => Math.floor(next() * bound);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      const picked = from[below(from.length)];
      if (picked === undefined) throw new Error("nothing to pick from");
      return picked;
    },
    percent: (percent) => below(100) < percent,
  };
}

/** Runs `work` on every item, so many beside each other. */
export async function beside<T>(count: number, items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items[Symbol.iterator]();
  const worker = async () => {
    for (let next = queue.next(); !next.done; next = queue.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: count }, worker));
}
