import { permissionModes } from "@pawl/core";

/** The frames of stream-json as consumers read them: which fields each kind has, which it may have, and their types. */

/** Says what is wrong with a value, nothing when it is right. */
type Check = (value: unknown) => string | undefined;
type Fields = Readonly<Record<string, Check>>;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const when = (holds: (value: unknown) => boolean, what: string): Check => {
  return (value) => (holds(value) ? undefined : `is ${JSON.stringify(value)}, not ${what}`);
};
const anything = when((value) => value !== undefined, "anything");
const text = when((value) => typeof value === "string", "text");
const flag = when((value) => typeof value === "boolean", "true or false");
const count = when((value) => Number.isInteger(value) && Number(value) >= 0, "a whole number of at least 0");
const amount = when((value) => typeof value === "number" && value >= 0, "a number of at least 0");
const uuid = when((value) => typeof value === "string" && UUID.test(value), "a UUID");
const nothing = when((value) => value === null, "null");
const oneOf = (...values: readonly unknown[]) => when((value) => values.includes(value), `one of ${values.join(", ")}`);

const either = (...checks: readonly Check[]): Check => {
  return (value) => (checks.some((check) => check(value) === undefined) ? undefined : checks[0]?.(value));
};
const orNull = (check: Check): Check => either(check, nothing);

const listOf = (check: Check): Check => {
  return (value) => {
    if (!Array.isArray(value)) return "is no list";
    const faults = value.flatMap((item, index) => within(`[${index}]`, check(item)));
    return faults.length === 0 ? undefined : faults.join("; ");
  };
};

const mapOf = (check: Check): Check => {
  return (value) => {
    if (!isObject(value)) return "is no object";
    const faults = Object.entries(value).flatMap(([key, item]) => within(`.${key}`, check(item)));
    return faults.length === 0 ? undefined : faults.join("; ");
  };
};

/** An object with all of `required`, any of `optional`, and nothing else. */
const record = (required: Fields, optional: Fields = {}): Check => {
  return (value) => {
    if (!isObject(value)) return "is no object";
    const missing = Object.keys(required).filter((key) => value[key] === undefined);
    const faults = Object.entries(value).flatMap(([key, item]) => {
      const check = required[key] ?? optional[key];
      return check === undefined ? [`.${key} is not known`] : within(`.${key}`, check(item));
    });
    const all = [...missing.map((key) => `.${key} is missing`), ...faults];
    return all.length === 0 ? undefined : all.join("; ");
  };
};

const within = (place: string, fault: string | undefined): string[] =>
  fault === undefined
    ? []
    : [fault.startsWith(".") || fault.startsWith("[") ? `${place}${fault}` : `${place} ${fault}`];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const block = when((value) => isObject(value) && typeof value["type"] === "string", "a block with a type");

const usage = record(
  {
    input_tokens: count,
    output_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
  },
  {
    cache_creation: record({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
    output_tokens_details: record({ thinking_tokens: count }),
    server_tool_use: anything,
    service_tier: text,
  },
);

const modelUsage = record(
  {
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    webSearchRequests: count,
    // null: the price is not known, which is never shown as 0.
    costUSD: orNull(amount),
    contextWindow: count,
    maxOutputTokens: count,
  },
  { thinkingTokens: count, canonicalModel: text, provider: text, costBasis: text },
);

const apiErrors = [
  ...["authentication_failed", "oauth_org_not_allowed", "account_on_hold", "verification_required", "billing_error"],
  ...["rate_limit", "overloaded", "invalid_request", "model_not_found", "server_error", "unknown"],
  ...["max_output_tokens", "cloud_credential_error"],
];

const stopReasons = [
  ...["end_turn", "max_tokens", "stop_sequence", "tool_use", "pause_turn", "refusal"],
  ...["model_context_window_exceeded", "tool_deferred", "tool_deferred_unavailable"],
];

const terminalReasons = [
  ...["completed", "max_turns", "budget_exhausted", "aborted_streaming", "aborted_tools", "api_error", "model_error"],
  ...["image_error", "prompt_too_long", "blocking_limit", "rapid_refill_breaker", "malformed_tool_use_exhausted"],
  ...["stop_hook_prevented", "hook_stopped", "tool_deferred", "tool_deferred_unavailable", "background_requested"],
  ...["structured_output_retry_exhausted", "turn_setup_failed"],
];

const status = ["allowed", "allowed_warning", "rejected"];
const seconds = when((value) => Number.isInteger(value) && Number(value) < 1e11, "seconds since the epoch");

const subagent: Fields = { agent_id: text, subagent_type: text, task_description: text, timestamp: text };
const prompts: Fields = { user_message_uuid: uuid, user_message_uuids: listOf(uuid) };

const result: Fields = {
  is_error: flag,
  duration_ms: count,
  duration_api_ms: count,
  num_turns: count,
  stop_reason: orNull(oneOf(...stopReasons)),
  total_cost_usd: orNull(amount),
  usage,
  modelUsage: mapOf(modelUsage),
  permission_denials: listOf(record({ tool_name: text, tool_use_id: text, tool_input: anything })),
  terminal_reason: oneOf(...terminalReasons),
};
const anyResult: Fields = {
  queued_turn_count: count,
  result_index: count,
  origin: anything,
  fast_mode_state: text,
  // When the first piece of an answer came; also of a turn that failed later.
  ttft_ms: count,
  ttft_stream_ms: count,
  ...prompts,
};
const failed = { required: { ...result, is_error: oneOf(true), errors: listOf(text) }, optional: anyResult };

type Kind = { required: Fields; optional?: Fields };

/** By type, and by subtype where the kind has one. */
const kinds: Readonly<Record<string, Kind>> = {
  "system/init": {
    required: {
      apiKeySource: oneOf("ANTHROPIC_API_KEY", "apiKeyHelper", "/login managed key", "none"),
      claude_code_version: text,
      cwd: text,
      model: text,
      output_style: text,
      permissionMode: oneOf(...permissionModes),
      tools: listOf(text),
      slash_commands: listOf(text),
      skills: listOf(text),
      mcp_servers: listOf(record({ name: text, status: text }, { source: text })),
      plugins: listOf(record({ name: text, path: text }, { version: text })),
    },
    optional: {
      agents: listOf(text),
      betas: listOf(text),
      terminal_slash_commands: listOf(text),
      capabilities: listOf(text),
      mcp_server_errors: listOf(record({ name: text, type: text, message: text })),
      plugin_errors: listOf(anything),
      fast_mode_state: text,
      fast_mode_disabled_reason: text,
      effort: text,
      view_mode: text,
    },
  },
  assistant: {
    required: {
      message: record({
        id: text,
        type: oneOf("message"),
        role: oneOf("assistant"),
        model: text,
        content: listOf(block),
        stop_reason: orNull(oneOf(...stopReasons)),
        stop_sequence: orNull(text),
        usage,
      }),
      parent_tool_use_id: orNull(text),
    },
    optional: {
      error: oneOf(...apiErrors),
      request_id: text,
      supersedes: listOf(uuid),
      aborted: flag,
      context_usage: anything,
      usage_report: anything,
      ...subagent,
      ...prompts,
    },
  },
  user: {
    required: {
      message: record({ role: oneOf("user"), content: either(text, listOf(block)) }),
      parent_tool_use_id: orNull(text),
    },
    optional: { isSynthetic: flag, isReplay: oneOf(true), tool_use_result: anything, origin: anything, ...subagent },
  },
  stream_event: {
    required: { event: block, parent_tool_use_id: orNull(text) },
    optional: { ttft_ms: count },
  },
  "system/status": {
    required: { status: orNull(oneOf("compacting", "requesting")) },
    optional: {
      permissionMode: oneOf(...permissionModes),
      compact_result: oneOf("success", "failed"),
      compact_error: text,
    },
  },
  "system/api_retry": {
    required: {
      attempt: when((value) => Number.isInteger(value) && Number(value) >= 1, "a number from 1 on"),
      max_retries: count,
      retry_delay_ms: count,
      error_status: orNull(count),
      error: oneOf(...apiErrors),
    },
    // `reason` is our own: what went wrong, for people.
    optional: { no_response: flag, reason: text },
  },
  "system/permission_denied": {
    required: { tool_name: text, tool_use_id: text, message: text },
    optional: { agent_id: text, decision_reason_type: text, decision_reason: text },
  },
  "system/compact_boundary": {
    required: {
      compact_metadata: record(
        { trigger: oneOf("manual", "auto"), pre_tokens: count },
        { post_tokens: count, duration_ms: count, preserved_segment: anything, preserved_messages: anything },
      ),
    },
  },
  "system/informational": {
    required: { content: text, level: oneOf("info", "notice", "suggestion", "warning") },
    optional: { tool_use_id: text, prevent_continuation: flag, tag: text },
  },
  "system/task_started": {
    required: { task_id: text, description: text },
    optional: { tool_use_id: text, task_type: text, is_backgrounded: flag, prompt: text, subagent_type: text },
  },
  "system/task_notification": {
    required: { task_id: text, status: oneOf("completed", "failed", "stopped"), output_file: text, summary: text },
    optional: { tool_use_id: text, usage: anything, reason: text },
  },
  "system/background_tasks_changed": {
    required: { tasks: listOf(record({ task_id: text, task_type: text, description: text })) },
  },
  tool_progress: {
    required: {
      ...{ tool_use_id: text, tool_name: text, parent_tool_use_id: orNull(text), elapsed_time_seconds: amount },
    },
    optional: { heartbeat: flag, task_id: text, subagent_type: text },
  },
  "system/local_command_output": { required: { content: text } },
  // Our own: a slash command of the turn has had its effect.
  "system/command_completed": { required: { command: text } },
  conversation_reset: {
    required: { new_conversation_id: uuid },
    optional: { trigger: oneOf("clear", "plan_mode_exit", "fresh_session", "onboarding"), user_message_uuid: uuid },
  },
  rate_limit_event: {
    required: {
      rate_limit_info: record(
        { status: oneOf(...status) },
        {
          resetsAt: seconds,
          rateLimitType: text,
          utilization: amount,
          overageStatus: oneOf(...status),
          overageResetsAt: seconds,
        },
      ),
    },
  },
  "result/success": {
    required: { ...result, result: text },
    optional: {
      ...anyResult,
      structured_output: anything,
      deferred_tool_use: anything,
      api_error_status: orNull(count),
      local_command: text,
    },
  },
  "result/error_max_turns": failed,
  "result/error_max_budget_usd": failed,
  "result/error_during_execution": {
    required: failed.required,
    optional: { ...anyResult, startup_failure_reason: text, invalid_config_file: text },
  },
  "result/error_max_structured_output_retries": failed,
};

const withSubtype = ["system", "result"];

/** What a consumer could not read in one frame. */
export function frameFaults(frame: unknown): string[] {
  if (!isObject(frame)) return ["is no object"];
  const { type, subtype } = frame;
  const name = withSubtype.includes(String(type)) ? `${type}/${subtype}` : String(type);
  const kind = kinds[name];
  if (kind === undefined) return [`${name} is no known kind`];
  const own: Fields = { type: text, uuid, session_id: uuid, ...(name.includes("/") ? { subtype: text } : {}) };
  return within(name, record({ ...own, ...kind.required }, kind.optional)(frame));
}

/** What is wrong with the frames of a session of whole turns: each frame, and their order. */
export function streamFaults(frames: readonly unknown[]): string[] {
  const all = frames.filter(isObject);
  return [...frames.flatMap(frameFaults), ...sessionFaults(all), ...turnsOf(all).flatMap(turnFaults)];
}

type Frame = Record<string, unknown>;

function sessionFaults(frames: readonly Frame[]): string[] {
  const uuids = frames.map((frame) => frame["uuid"]);
  return [
    ...(new Set(frames.map((frame) => frame["session_id"])).size === 1 ? [] : ["several session ids"]),
    ...(new Set(uuids).size === uuids.length ? [] : ["a uuid stands twice"]),
  ];
}

/** Each turn ends with its result; what follows the last result is a turn of its own, without one. */
function turnsOf(frames: readonly Frame[]): Frame[][] {
  const turns: Frame[][] = [[]];
  for (const [index, frame] of frames.entries()) {
    turns.at(-1)?.push(frame);
    if (frame["type"] === "result" && index < frames.length - 1) turns.push([]);
  }
  return turns;
}

function turnFaults(turn: readonly Frame[]): string[] {
  const inits = turn.filter((frame) => frame["subtype"] === "init").length;
  const isBegun = turn[0]?.["subtype"] === "init" && inits === 1;
  return [
    ...(isBegun ? [] : [`a turn begins with ${turn[0]?.["type"]} and has ${inits} init frames`]),
    ...(turn.at(-1)?.["type"] === "result" ? [] : ["a turn has no result"]),
    ...answerFaults(turn),
  ];
}

/** An answer comes one block a frame. Every call has one result after it, unless the session itself could not go on. */
function answerFaults(turn: readonly Frame[]): string[] {
  const faults: string[] = [];
  const open = new Set<unknown>();
  for (const { type, message } of turn) {
    const content = isObject(message) && Array.isArray(message["content"]) ? message["content"].filter(isObject) : [];
    if (type === "assistant" && content.length !== 1) faults.push(`an assistant frame has ${content.length} blocks`);
    for (const one of content) {
      if (one["type"] === "tool_use") open.add(one["id"]);
      if (one["type"] === "tool_result" && !open.delete(one["tool_use_id"])) {
        faults.push(`the result of ${one["tool_use_id"]} has no call before it`);
      }
    }
  }
  if (turn.at(-1)?.["terminal_reason"] === "turn_setup_failed") return faults;
  return [...faults, ...[...open].map((id) => `the call ${id} has no result`)];
}
