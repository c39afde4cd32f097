/** The tools of the public set, as its type declarations name them, and the deprecated one that is still called. */
export const publicToolNames: readonly string[] = [
  ...["Agent", "Artifact", "AskUserQuestion", "Bash", "ClaudeDesign", "CronCreate", "CronDelete", "CronList", "Edit"],
  ...[
    "EndConversation",
    "EnterPlanMode",
    "EnterWorktree",
    "ExitPlanMode",
    "ExitWorktree",
    "Glob",
    "Grep",
    "ListAgents",
  ],
  ...["ListMcpResourcesTool", "LSP", "Monitor", "NotebookEdit", "PowerShell", "PushNotification", "Read"],
  ...["ReadMcpResourceDirTool", "ReadMcpResourceTool", "RemoteTrigger", "ReportFindings", "ScheduleWakeup"],
  ...["SendMessage", "SendUserFile", "Skill", "TaskCreate", "TaskGet", "TaskList", "TaskOutput", "TaskStop"],
  ...["TaskUpdate", "TodoWrite", "ToolSearch", "WaitForMcpServers", "WebFetch", "WebSearch", "Workflow", "Write"],
];
