import type { ScheduledJob } from "../scheduler.ts";

/** Local time to the minute with its offset from UTC: `2026-12-01 09:00 (UTC+01:00)`. */
export function timeText(time: number): string {
  const date = new Date(time);
  const minutes = -date.getTimezoneOffset();
  const local = new Date(time + minutes * 60_000).toISOString().slice(0, 16).replace("T", " ");
  const two = (count: number) => String(Math.floor(Math.abs(count))).padStart(2, "0");
  return `${local} (UTC${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)})`;
}

/** What the model gets when the time has come. */
export function firedText({ id, prompt, schedule, nextAt }: ScheduledJob, isLate: boolean, isLast: boolean): string {
  const late = isLate ? ` It was due at ${timeText(nextAt)} and comes late.` : "";
  if (schedule.type === "wakeup") {
    return `The wait is over${schedule.reason === undefined ? "" : ` (${schedule.reason})`}.${late}\n\n${prompt}`;
  }
  const end = isLast && schedule.recurring ? " It was the last time: create it again if it is still wanted." : "";
  return `Scheduled job ${id} (${schedule.cron}).${late}${end}\n\n${prompt}`;
}

/** `c3f2a9b10 0 9 * * 1-5 (next 2026-12-01 09:00 (UTC+00:00)): Look at the build`. */
export function jobLine({ id, prompt, schedule, nextAt }: ScheduledJob): string {
  const times = schedule.type === "wakeup" ? "wake-up" : `${schedule.cron}${schedule.recurring ? "" : ", once"}`;
  return `${id} ${times} (next ${timeText(nextAt)}): ${prompt}`;
}
