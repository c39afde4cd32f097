import { defineTool } from "../define-tool.ts";
import { MAX_JOBS } from "../scheduler.ts";
import { refusal } from "./error-result.ts";
import { timeText } from "./job-text.ts";

const DEFAULT_DELAY_SECONDS = 300;
const MIN_DELAY_SECONDS = 1;
const MAX_DELAY_SECONDS = 24 * 60 * 60;
const DEFAULT_PROMPT = "Go on with what you were waiting for.";

export const scheduleWakeupTool = defineTool({
  name: "ScheduleWakeup",
  description: `Ends a wait: a prompt comes by itself after a time, while this session is open. End your turn after it.

- For what nothing tells you the end of, such as a build elsewhere. A background command tells you itself when it ends.
- There is one at a time: a new one takes the place of the one before.`,
  inputSchema: {
    type: "object",
    properties: {
      delaySeconds: {
        type: "number",
        minimum: MIN_DELAY_SECONDS,
        maximum: MAX_DELAY_SECONDS,
        default: DEFAULT_DELAY_SECONDS,
      },
      reason: { type: "string", description: "What is waited for; the user sees it." },
      prompt: { type: "string", description: "What you are told then. Default: to go on." },
    },
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  // It changes nothing but the schedule of this session.
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ delaySeconds = DEFAULT_DELAY_SECONDS, reason, prompt = DEFAULT_PROMPT }, { scheduler, now }) {
    if (prompt.trim() === "") return refusal("The prompt is blank: leave it out, or say what you want to be told.");
    const nextAt = now() + delaySeconds * 1000;
    const schedule = { type: "wakeup", ...(reason === undefined ? {} : { reason }) } as const;
    const job = await scheduler.add({ prompt, schedule, nextAt, durable: false });
    if (job === undefined) return refusal(`${MAX_JOBS} jobs are scheduled, the most there may be: delete some first.`);
    return {
      content: `You are woken at ${timeText(nextAt)}, if this session is open then.`,
      structured: { id: job.id, delaySeconds, wakeAt: new Date(nextAt).toISOString() },
    };
  },
});
