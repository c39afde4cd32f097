import { randomBytes } from "node:crypto";
import { firedText } from "../tools/builtin/job-text.ts";
import { createScheduler, SCHEDULE_PART, type Scheduler, type SchedulerDeps } from "../tools/scheduler.ts";
import type { Notice } from "../tools/tool.ts";

const ID_BYTES = 4;

type SessionScheduleDeps = Pick<SchedulerDeps, "now" | "sleep"> & {
  notify(notice: Notice, urgency: "wakes"): string | undefined;
  /** Whether a message of that uuid is in the journal. */
  hasMessage(uuid: string): boolean;
  setPart(part: string, value: unknown): Promise<void>;
  /** What `SCHEDULE_PART` held when the session was stored. */
  stored: unknown;
};

/** The scheduled prompts of a session: each wakes the model, and the durable ones stay with the session. */
export function sessionSchedule(deps: SessionScheduleDeps): Scheduler {
  const { now, sleep, notify, hasMessage, setPart, stored } = deps;
  return createScheduler(
    {
      ...{ now, sleep, isTold: hasMessage },
      newId: () => `c${randomBytes(ID_BYTES).toString("hex")}`,
      fire(job, { isLate, isLast }) {
        return notify({ text: firedText(job, isLate, isLast), origin: { kind: "auto-continuation" } }, "wakes");
      },
      save: (durable) => setPart(SCHEDULE_PART, durable),
    },
    stored,
  );
}
