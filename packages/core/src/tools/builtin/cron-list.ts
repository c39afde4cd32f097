import { defineTool } from "../define-tool.ts";
import { jobLine } from "./job-text.ts";

export const cronListTool = defineTool({
  name: "CronList",
  description: "Gives the session's scheduled jobs, the next one first.",
  inputSchema: { type: "object", properties: {}, additionalProperties: false },
  maxResultChars: 50_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  touches: () => [],
  async run(_input, { scheduler }) {
    const jobs = scheduler.list();
    return {
      content: jobs.length === 0 ? "No jobs are scheduled" : jobs.map(jobLine).join("\n"),
      structured: {
        jobs: jobs.map(({ id, prompt, schedule, nextAt, durable }) => ({
          ...{ id, prompt, durable, nextRun: new Date(nextAt).toISOString() },
          ...(schedule.type === "cron" ? { cron: schedule.cron, recurring: schedule.recurring } : { recurring: false }),
        })),
      },
    };
  },
});
