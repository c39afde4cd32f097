import { createScheduler, type Scheduler } from "../../src/tools/scheduler.ts";

/** Takes jobs, and never comes to fire one. */
export function idleScheduler(): Scheduler {
  let count = 0;
  const newId = () => {
    count += 1;
    return `c${count}`;
  };
  const deps = {
    now: Date.now,
    sleep: () => new Promise<never>(() => {}),
    newId,
    fire: () => undefined,
    isTold: () => true,
    save: async () => {},
  };
  return createScheduler(deps, undefined);
}
