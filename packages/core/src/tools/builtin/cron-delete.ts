import { defineTool } from "../define-tool.ts";
import { refusal } from "./error-result.ts";

export const cronDeleteTool = defineTool({
  name: "CronDelete",
  description: "Takes a scheduled job away, or a wake-up that has not come yet.",
  inputSchema: {
    type: "object",
    properties: { id: { type: "string", description: "As CronCreate gave it." } },
    required: ["id"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ id }, { scheduler }) {
    if (await scheduler.remove(id)) return { content: `Deleted job ${id}`, structured: { id } };
    return refusal(`There is no job ${id}. CronList gives those there are.`);
  },
});
