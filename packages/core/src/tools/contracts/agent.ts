import type { InputOf } from "../define-tool.ts";

/** The public input of `Agent`, and of its older name `Task`. Left-out `run_in_background` means in the background. */
export const agentInput = {
  type: "object",
  properties: {
    description: { type: "string", description: "The task in three to five words." },
    prompt: { type: "string", description: "The whole task: the agent sees nothing of this conversation." },
    subagent_type: { type: "string", description: "Which agent; default general-purpose." },
    model: { type: "string", enum: ["sonnet", "opus", "haiku", "fable"] },
    effort: { type: "string" },
    run_in_background: { type: "boolean" },
    name: { type: "string", description: "To write to it with SendMessage." },
    isolation: { type: "string", enum: ["worktree", "remote"] },
    mode: { type: "string", description: "Not used." },
    team_name: { type: "string", description: "Not used." },
  },
  required: ["description", "prompt"],
  additionalProperties: false,
} as const;
export type AgentInput = InputOf<typeof agentInput>;

/** What `tool_use_result` holds. `totalTokens` are those of the last request alone. */
export type AgentOutput =
  | {
      status: "completed";
      agentId: string;
      agentType?: string;
      content: readonly { type: "text"; text: string }[];
      prompt: string;
      resolvedModel?: string;
      modelsUsed?: readonly string[];
      totalToolUseCount: number;
      totalDurationMs: number;
      totalTokens: number;
      usage: object;
      toolStats?: object;
      worktreePath?: string;
      worktreeBranch?: string;
    }
  | {
      status: "async_launched";
      agentId: string;
      description: string;
      prompt: string;
      outputFile: string;
      resolvedModel?: string;
      canReadOutputFile?: boolean;
    }
  | {
      status: "remote_launched";
      taskId: string;
      sessionUrl: string;
      description: string;
      prompt: string;
      outputFile: string;
    };

/** Resumes an agent by its id or name. */
export const sendMessageInput = {
  type: "object",
  properties: { to: { type: "string" }, summary: { type: "string" }, message: { type: "string" } },
  required: ["to", "message"],
  additionalProperties: false,
} as const;
export type SendMessageInput = InputOf<typeof sendMessageInput>;

/** The text result of an agent that was started in the background. Consumers match its beginning. */
export const launchedText = (agentId: string): string =>
  `Async agent launched successfully.\nagentId: ${agentId} (use SendMessage with to: '${agentId}' to go on with it)`;

export type AgentTotals = { tokens: number; toolUses: number; durationMs: number };

/** The last text block of a finished agent's result. Consumers match its beginning and its tag. */
export function agentTrailer(agentId: string, { tokens, toolUses, durationMs }: AgentTotals): string {
  const usage = `total_tokens: ${tokens}\ntool_uses: ${toolUses}\nduration_ms: ${durationMs}`;
  return `agentId: ${agentId} (use SendMessage with to: '${agentId}' to go on with it)\n<usage>${usage}</usage>`;
}
