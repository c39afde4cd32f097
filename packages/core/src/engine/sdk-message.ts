import type { ApiUsage, KnownApiBlock } from "../messages/api-message.ts";
import type { MessageOrigin } from "../messages/message.ts";
import type { PermissionMode } from "../permissions/mode.ts";

/**
 * What every front end consumes: the public stream-json frames. Consumers ignore kinds they do not know.
 *
 * @see https://docs.anthropic.com/en/docs/claude-code/sdk
 */
export type SdkMessage =
  | SdkInit
  | SdkAssistant
  | SdkUser
  | SdkStreamEvent
  | SdkResult
  | SdkStatus
  | SdkApiRetry
  | SdkRateLimit
  | SdkPermissionDenied
  | SdkInformational
  | SdkNotification
  | SdkLocalCommandOutput
  | SdkCommandCompleted
  | SdkConversationReset
  | SdkCompactBoundary
  | SdkToolUseSummary
  | SdkTaskStarted
  | SdkTaskNotification
  | SdkBackgroundTasks
  | SdkToolProgress;

type Frame = { uuid: string; session_id: string };

/** What the calls of one answer did, in a line of the small model. Comes later than their results, or not at all. */
type SdkToolUseSummary = Frame & {
  type: "tool_use_summary";
  summary: string;
  preceding_tool_use_ids: readonly string[];
};

export type SdkInit = Frame & {
  type: "system";
  subtype: "init";
  apiKeySource: string;
  claude_code_version: string;
  cwd: string;
  model: string;
  output_style: string;
  permissionMode: PermissionMode;
  tools: string[];
  slash_commands: string[];
  skills: string[];
  mcp_servers: { name: string; status: string }[];
  plugins: { name: string; path: string }[];
  agents: string[];
};

/** One completed block of an answer; the frames of one answer share `message.id`. */
export type SdkAssistant = Frame & {
  type: "assistant";
  message: {
    id: string;
    type: "message";
    role: "assistant";
    model: string;
    content: KnownApiBlock[];
    stop_reason: string | null;
    stop_sequence: string | null;
    usage: ApiUsage;
  };
  parent_tool_use_id: string | null;
  request_id?: string;
  error?: SdkApiError;
  supersedes?: string[];
};
export type SdkApiError =
  | "authentication_failed"
  | "billing_error"
  | "rate_limit"
  | "overloaded"
  | "invalid_request"
  | "model_not_found"
  | "server_error"
  | "max_output_tokens"
  | "unknown";

/** A tool's result, synthetic input, or (when asked for) the user's own message replayed. */
export type SdkUser = Frame & {
  type: "user";
  message: { role: "user"; content: string | KnownApiBlock[] };
  parent_tool_use_id: string | null;
  isSynthetic?: boolean;
  isReplay?: boolean;
  /** Left out for what a person or a host wrote. */
  origin?: MessageOrigin;
  tool_use_result?: unknown;
};

export type SdkStreamEvent = Frame & {
  type: "stream_event";
  event: unknown;
  parent_tool_use_id: string | null;
  ttft_ms?: number;
};

type SdkStatus = Frame & {
  type: "system";
  subtype: "status";
  status: "compacting" | "requesting" | null;
  permissionMode?: PermissionMode;
};
export type SdkApiRetry = Frame & {
  type: "system";
  subtype: "api_retry";
  attempt: number;
  max_retries: number;
  retry_delay_ms: number;
  /** null: no HTTP status says it. */
  error_status: number | null;
  error: SdkApiError;
  /** Not even a response came. */
  no_response?: true;
  /** What went wrong, for people. */
  reason: string;
};
export type SdkRateLimit = Frame & {
  type: "rate_limit_event";
  /** Times in seconds since the epoch. */
  rate_limit_info: {
    status: "allowed" | "allowed_warning" | "rejected";
    resetsAt?: number;
    rateLimitType?: string;
    utilization?: number;
    overageStatus?: string;
    overageResetsAt?: number;
  };
};
type SdkPermissionDenied = Frame & {
  type: "system";
  subtype: "permission_denied";
  tool_name: string;
  tool_use_id: string;
  decision_reason_type?: string;
  decision_reason?: string;
  message: string;
};
export type SdkInformational = Frame & {
  type: "system";
  subtype: "informational";
  content: string;
  level: "info" | "notice" | "suggestion" | "warning";
};
/** The user is wanted at this session. */
type SdkNotification = Frame & {
  type: "system";
  subtype: "notification";
  key: string;
  text: string;
  priority: "low" | "medium" | "high" | "immediate";
};
type SdkLocalCommandOutput = Frame & { type: "system"; subtype: "local_command_output"; content: string };
/** A slash command of this turn has had its effect; only when the turn ended normally. */
type SdkCommandCompleted = Frame & { type: "system"; subtype: "command_completed"; command: string };
type SdkConversationReset = Frame & {
  type: "conversation_reset";
  new_conversation_id: string;
  trigger: "clear";
};

/** What came before was replaced by a summary. Tokens. */
type SdkCompactBoundary = Frame & {
  type: "system";
  subtype: "compact_boundary";
  compact_metadata: { trigger: "manual" | "auto"; pre_tokens: number };
};

type SdkTaskStarted = Frame & {
  type: "system";
  subtype: "task_started";
  task_id: string;
  description: string;
  task_type: string;
  is_backgrounded: boolean;
  tool_use_id?: string;
};

/** A background task has ended; the model is told too. */
type SdkTaskNotification = Frame & {
  type: "system";
  subtype: "task_notification";
  task_id: string;
  status: "completed" | "failed" | "stopped";
  output_file: string;
  summary: string;
  tool_use_id?: string;
};

/** All the background tasks that run now. */
type SdkBackgroundTasks = Frame & {
  type: "system";
  subtype: "background_tasks_changed";
  tasks: { task_id: string; task_type: string; description: string }[];
};

/** A call of a tool goes on. */
export type SdkToolProgress = Frame & {
  type: "tool_progress";
  tool_use_id: string;
  tool_name: string;
  parent_tool_use_id: string | null;
  elapsed_time_seconds: number;
  /** Nothing but a sign of life. */
  heartbeat?: true;
};

type SdkPermissionDenial = { tool_name: string; tool_use_id: string; tool_input: Record<string, unknown> };

export type SdkModelUsage = {
  inputTokens: number;
  outputTokens: number;
  cacheReadInputTokens: number;
  cacheCreationInputTokens: number;
  webSearchRequests: number;
  /** null: the price is not known. */
  costUSD: number | null;
  contextWindow: number;
  maxOutputTokens: number;
};

/** Exactly one ends each turn. */
export type SdkResult = Frame & {
  type: "result";
  subtype:
    | "success"
    | "error_max_turns"
    | "error_max_budget_usd"
    | "error_during_execution"
    | "error_max_structured_output_retries";
  is_error: boolean;
  duration_ms: number;
  duration_api_ms: number;
  num_turns: number;
  stop_reason: string | null;
  /** null: at least one response's price is not known. Cumulative for the session. */
  total_cost_usd: number | null;
  /** Of this turn's main loop. */
  usage: ApiUsage;
  /** Of all models, cumulative. */
  modelUsage: Record<string, SdkModelUsage>;
  permission_denials: SdkPermissionDenial[];
  terminal_reason: string;
  /** What the turn was started by, when that was no prompt. */
  origin?: MessageOrigin;
  /** With `success`: the final text, or the error's prose. */
  result?: string;
  /** With any other subtype. */
  errors?: string[];
  api_error_status?: number | null;
  structured_output?: unknown;
  ttft_ms?: number;
  /** Answered without the model. */
  local_command?: string;
};
