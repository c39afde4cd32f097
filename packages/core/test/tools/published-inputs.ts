/**
 * What the public pages say of a tool's input, as a schema without its descriptions: names, types, bounds, defaults, and the
 * fields of what is nested. A bound that no page names is ours, and stands here all the same: it is a promise once it is out.
 */
type PublishedInput = {
  type: "object";
  properties: Readonly<Record<string, object>>;
  required: readonly string[];
  additionalProperties: false;
};

const text = { type: "string" };
const flag = { type: "boolean" };
const record = { type: "object" };
const flagOf = (preset: boolean) => ({ type: "boolean", default: preset });
const atLeast = (minimum: number) => ({ type: "integer", minimum });
const oneOf = (...values: readonly string[]) => ({ type: "string", enum: [...values].sort() });
const listOf = (items: object, bounds: { minItems?: number; maxItems?: number } = {}) => ({
  ...{ type: "array", items },
  ...bounds,
});

/** A strict object. */
const input = (
  required: Readonly<Record<string, object>>,
  optional: Readonly<Record<string, object>> = {},
): PublishedInput => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required).sort(),
  additionalProperties: false,
});

const none = input({});

const todo = input({ content: text, status: oneOf("pending", "in_progress", "completed"), activeForm: text });
const option = input({ label: text, description: text }, { preview: text });
const question = input({
  question: text,
  header: { type: "string", maxLength: 12 },
  options: listOf(option, { minItems: 2, maxItems: 4 }),
  multiSelect: flag,
});

/** The public tools and their inputs, as written down from their documentation and type declarations. */
export const publishedInputs: Readonly<Record<string, PublishedInput>> = {
  Read: input({ file_path: text }, { offset: atLeast(1), limit: atLeast(1), pages: text, allow_large: flag }),
  Write: input({ file_path: text, content: text }),
  Edit: input({ file_path: text, old_string: text, new_string: text }, { replace_all: flagOf(false) }),
  NotebookEdit: input(
    { notebook_path: text, new_source: text },
    {
      cell_id: text,
      cell_type: oneOf("code", "markdown"),
      edit_mode: { ...oneOf("replace", "insert", "delete"), default: "replace" },
    },
  ),
  Glob: input({ pattern: text }, { path: text }),
  Grep: input(
    { pattern: text },
    {
      ...{ path: text, glob: text, type: text },
      output_mode: { ...oneOf("content", "files_with_matches", "count"), default: "files_with_matches" },
      ...{ "-A": atLeast(0), "-B": atLeast(0), "-C": atLeast(0), context: atLeast(0) },
      ...{ "-n": flagOf(true), "-i": flagOf(false), "-o": flagOf(false), multiline: flagOf(false) },
      head_limit: { ...atLeast(0), default: 250 },
      offset: { ...atLeast(0), default: 0 },
    },
  ),
  Bash: input(
    { command: text },
    {
      timeout: { type: "number", minimum: 1 },
      ...{ description: text, run_in_background: flag, dangerouslyDisableSandbox: flag },
    },
  ),
  TaskStop: input({}, { task_id: text, shell_id: text }),
  // `timeout_ms` has a default, so it may be left out; `persistent` is named by the pages alone.
  Monitor: input(
    { description: text },
    {
      timeout_ms: { type: "number", minimum: 1_000, default: 300_000 },
      ...{ persistent: flag, command: text, ws: input({ url: text }, { protocols: listOf(text) }) },
    },
  ),
  WebFetch: input({ url: text, prompt: text }, { offset: atLeast(0) }),
  WebSearch: input(
    { query: text },
    { allowed_domains: listOf(text, { maxItems: 50 }), blocked_domains: listOf(text, { maxItems: 50 }) },
  ),
  TodoWrite: input({ todos: listOf(todo) }),
  TaskCreate: input({ subject: text, description: text }, { activeForm: text, metadata: record }),
  TaskGet: input({ taskId: text }),
  TaskUpdate: input(
    { taskId: text },
    {
      ...{ subject: text, description: text, activeForm: text, owner: text, metadata: record },
      status: oneOf("pending", "in_progress", "completed", "deleted"),
      ...{ addBlocks: listOf(text), addBlockedBy: listOf(text) },
    },
  ),
  TaskList: none,
  AskUserQuestion: input({ questions: listOf(question, { minItems: 1, maxItems: 4 }) }),
  EnterPlanMode: none,
  ExitPlanMode: input({}, { allowedPrompts: listOf(record) }),
  EnterWorktree: input({}, { name: text, path: text }),
  ExitWorktree: input({ action: oneOf("keep", "remove") }, { discard_changes: flagOf(false) }),
  ToolSearch: input({ query: text }, { max_results: { ...atLeast(1), maximum: 50, default: 5 } }),
  CronCreate: input({ cron: text, prompt: text }, { recurring: flagOf(true), durable: flagOf(false) }),
  CronDelete: input({ id: text }),
  CronList: none,
  ScheduleWakeup: input(
    {},
    { delaySeconds: { type: "number", minimum: 1, maximum: 86_400, default: 300 }, reason: text, prompt: text },
  ),
};

/** Tools whose behaviour comes later: their inputs are fixed already. */
export const publishedContracts: Readonly<Record<string, PublishedInput>> = {
  Agent: input(
    { description: text, prompt: text },
    {
      ...{ subagent_type: text, effort: text, run_in_background: flag, name: text, mode: text, team_name: text },
      model: oneOf("sonnet", "opus", "haiku", "fable"),
      isolation: oneOf("worktree", "remote"),
    },
  ),
  SendMessage: input({ to: text, message: text }, { summary: text }),
  Skill: input({ skill: text }, { args: text }),
  ListMcpResourcesTool: input({}, { server: text }),
  ReadMcpResourceTool: input({ server: text, uri: text }),
  ReadMcpResourceDirTool: input({ server: text, uri: text }),
};

/** Of these tools the public pages name no input, or the tool is our own. */
export const ownInputs: Readonly<Record<string, PublishedInput>> = {
  TaskOutput: input(
    {},
    {
      ...{ task_id: text, block: flag, bash_id: text, agentId: text },
      timeout: { type: "number", minimum: 0, maximum: 600_000 },
    },
  ),
  LSP: input(
    {
      operation: oneOf(
        ...["goToDefinition", "goToTypeDefinition", "goToImplementation", "findReferences", "hover"],
        ...["incomingCalls", "outgoingCalls", "documentSymbol", "workspaceSymbol", "diagnostics"],
      ),
      filePath: text,
    },
    { line: atLeast(1), character: atLeast(1), query: text },
  ),
  PushNotification: input({ message: text }),
  ApplyPatch: input({ patch: text }),
};
