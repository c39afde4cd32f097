/** What the public pages say of a tool's input: names, which are needed, and the values that are named. */
export type PublishedInput = {
  required?: readonly string[];
  optional?: readonly string[];
  /** Needed by the type declaration, but with this default on its page: it may be left out here, and then is that. */
  defaulted?: Readonly<Record<string, unknown>>;
  enums?: Readonly<Record<string, readonly string[]>>;
};

const none: PublishedInput = {};

/** The public tools and their inputs, as written down from their documentation and type declarations. */
export const publishedInputs: Readonly<Record<string, PublishedInput>> = {
  Read: { required: ["file_path"], optional: ["offset", "limit", "pages", "allow_large"] },
  Write: { required: ["file_path", "content"] },
  Edit: { required: ["file_path", "old_string", "new_string"], optional: ["replace_all"] },
  NotebookEdit: {
    required: ["notebook_path", "new_source"],
    optional: ["cell_id", "cell_type", "edit_mode"],
    enums: { cell_type: ["code", "markdown"], edit_mode: ["replace", "insert", "delete"] },
  },
  Glob: { required: ["pattern"], optional: ["path"] },
  Grep: {
    required: ["pattern"],
    optional: [
      ...["path", "glob", "type", "output_mode", "-A", "-B", "-C", "context", "-n", "-i", "-o", "multiline"],
      ...["head_limit", "offset"],
    ],
    enums: { output_mode: ["content", "files_with_matches", "count"] },
  },
  Bash: {
    required: ["command"],
    optional: ["timeout", "description", "run_in_background", "dangerouslyDisableSandbox"],
  },
  TaskStop: { optional: ["task_id", "shell_id"] },
  Monitor: {
    required: ["description"],
    optional: ["persistent", "command", "ws"], // `persistent`: the documentation has it, the declarations do not
    defaulted: { timeout_ms: 300_000 },
  },
  WebFetch: { required: ["url", "prompt"], optional: ["offset"] },
  WebSearch: { required: ["query"], optional: ["allowed_domains", "blocked_domains"] },
  TodoWrite: { required: ["todos"] },
  TaskCreate: { required: ["subject", "description"], optional: ["activeForm", "metadata"] },
  TaskGet: { required: ["taskId"] },
  TaskUpdate: {
    required: ["taskId"],
    optional: [...["subject", "description", "activeForm", "status", "addBlocks", "addBlockedBy", "owner", "metadata"]],
    enums: { status: ["pending", "in_progress", "completed", "deleted"] },
  },
  TaskList: none,
  AskUserQuestion: { required: ["questions"] },
  EnterPlanMode: none,
  ExitPlanMode: { optional: ["allowedPrompts"] },
  EnterWorktree: { optional: ["name", "path"] },
  ExitWorktree: {
    required: ["action"],
    optional: ["discard_changes"],
    enums: { action: ["keep", "remove"] },
  },
  ToolSearch: { required: ["query"], optional: ["max_results"] },
  CronCreate: { required: ["cron", "prompt"], optional: ["recurring", "durable"] },
  CronDelete: { required: ["id"] },
  CronList: none,
  ScheduleWakeup: { optional: ["delaySeconds", "reason", "prompt"] },
};

/** Tools whose behaviour comes later: their inputs are fixed already. */
export const publishedContracts: Readonly<Record<string, PublishedInput>> = {
  Agent: {
    required: ["description", "prompt"],
    optional: [...["subagent_type", "model", "effort", "run_in_background", "name", "isolation", "mode", "team_name"]],
    enums: { model: ["sonnet", "opus", "haiku", "fable"], isolation: ["worktree", "remote"] },
  },
  SendMessage: { required: ["to", "message"], optional: ["summary"] },
  Skill: { required: ["skill"], optional: ["args"] },
  ListMcpResourcesTool: { optional: ["server"] },
  ReadMcpResourceTool: { required: ["server", "uri"] },
  ReadMcpResourceDirTool: { required: ["server", "uri"] },
};

/** Of these tools the public pages name no input, or the tool is our own. */
export const withoutPublishedInput: readonly string[] = ["TaskOutput", "LSP", "PushNotification", "ApplyPatch"];
