import { messageOf } from "../../lib/error.ts";
import { nextCronTime } from "../cron-time.ts";
import { defineTool } from "../define-tool.ts";
import { MAX_JOBS, RECURRING_LIFETIME_MS } from "../scheduler.ts";
import { refusal } from "./error-result.ts";
import { timeText } from "./job-text.ts";

const LIFETIME_DAYS = RECURRING_LIFETIME_MS / (24 * 60 * 60 * 1000);

export const cronCreateTool = defineTool({
  name: "CronCreate",
  description: `Has a prompt come by itself at times of a cron expression, while this session is open.

- Five fields in local time: minute, hour, day of month, month, day of week. "*/10 * * * *" is every ten minutes.
- A recurring one ends by itself after ${LIFETIME_DAYS} days. For a single wait in the work at hand use ScheduleWakeup.`,
  inputSchema: {
    type: "object",
    properties: {
      cron: { type: "string", description: 'Such as "0 9 * * 1-5".' },
      prompt: { type: "string", description: "What is to be done then." },
      recurring: { type: "boolean", default: true, description: "false: only the next time." },
      durable: { type: "boolean", default: false, description: "Whether a resumed session has it still." },
    },
    required: ["cron", "prompt"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing but the schedule of this session; what comes of it is decided call by call.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ cron, prompt, recurring = true, durable = false }, { scheduler, now }) {
    if (prompt.trim() === "") return refusal("The prompt is empty: say what is to be done then.");
    const nextAt = await next(cron, now());
    if (typeof nextAt === "string") return refusal(nextAt);
    const job = await scheduler.add({ prompt, schedule: { type: "cron", cron, recurring }, nextAt, durable });
    if (job === undefined) return refusal(`${MAX_JOBS} jobs are scheduled, the most there may be: delete some first.`);
    return {
      content: `Scheduled as ${job.id}${recurring ? "" : ", once"}: next at ${timeText(nextAt)}. ${whenItComes(durable)}`,
      structured: { id: job.id, nextRun: new Date(nextAt).toISOString(), recurring, durable },
    };
  },
});

const whenItComes = (durable: boolean): string =>
  durable
    ? "It comes while this session is open; if one falls due while it is closed, it comes once, marked as late, when it is resumed."
    : "It comes only while this session is open.";

/** When it comes first, or why it never does. */
async function next(cron: string, now: number): Promise<number | string> {
  try {
    return (await nextCronTime(cron, now)) ?? `"${cron}" means a time that never comes.`;
  } catch (error) {
    const fix = 'Give minute, hour, day of month, month and day of week, such as "0 9 * * 1-5".';
    return `"${cron}" is no cron expression of five fields: ${faultIn(error)}. ${fix}`;
  }
}

/** Without the parser's own name in front. */
const faultIn = (error: unknown): string => messageOf(error).replace(/^Cron\w+: /, "");
