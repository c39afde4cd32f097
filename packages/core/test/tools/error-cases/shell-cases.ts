import { type ErrorTable, refused, wrongInput } from "./error-case.ts";

export const shellCases: ErrorTable = {
  Bash: [
    {
      what: "a command that fails",
      input: { command: "echo out; echo err >&2; exit 3" },
      begins: "Exit code 3\nout\nerr",
    },
    { what: "a command that is not there", input: { command: "no-such-program" }, begins: "Exit code 127\n" },
    { what: "what is no command line", input: { command: "echo 'open" }, begins: "Exit code 2\n" },
    {
      what: "a command that takes too long and may not go on",
      input: { command: "sleep 30", timeout: 50 },
      begins: "Exit code 143\n",
    },
    {
      what: "no time",
      input: { command: "true", timeout: 0 },
      begins: "<tool_use_error>InputValidationError: Bash failed",
    },
    {
      what: "nothing found",
      input: { command: "grep three a.txt" },
      files: { "a.txt": "one\n" },
      begins: "No matches found",
      isError: false,
    },
  ],
  Monitor: [
    {
      what: "no command",
      input: { description: "d", timeout_ms: 1_000 },
      begins: wrongInput("Monitor", "Give the command that watches, or a web socket"),
    },
    {
      what: "a blank command",
      input: { description: "d", timeout_ms: 1_000, command: " " },
      begins: wrongInput("Monitor", "Give the command that watches, or a web socket"),
    },
    {
      what: "a command and a web socket",
      input: { description: "d", timeout_ms: 1_000, command: "true", ws: { url: "wss://example.com" } },
      begins: wrongInput("Monitor", "Give the command that watches, or a web socket: one of them."),
    },
    {
      what: "a web socket of a private network",
      input: { description: "d", timeout_ms: 1_000, ws: { url: "wss://10.0.0.1/" } },
      begins: "10.0.0.1 is an address of this machine or a private network",
    },
    {
      what: "an address that is no web socket's",
      input: { description: "d", timeout_ms: 1_000, ws: { url: "https://example.com/" } },
      begins: wrongInput("Monitor", "https://example.com/ could not be watched: it is not an address of a web socket"),
    },
    {
      what: "no background",
      input: { description: "d", timeout_ms: 1_000, command: "true" },
      env: { PAWL_DISABLE_BACKGROUND_TASKS: "1" },
      begins: refused("Background tasks are turned off (PAWL_DISABLE_BACKGROUND_TASKS), so nothing can be watched."),
    },
  ],
  TaskOutput: [
    { what: "no id", input: {}, begins: refused("Give the task_id of a background task.") },
    { what: "an unknown id", input: { task_id: "b9" }, begins: refused("No task found with ID: b9. No task runs.") },
    {
      what: "a time out of bounds",
      input: { task_id: "b9", timeout: 600_001 },
      begins: "<tool_use_error>InputValidationError: TaskOutput failed",
    },
  ],
  TaskStop: [
    { what: "no id", input: {}, begins: refused("Give the task_id of a background task.") },
    { what: "an unknown id", input: { shell_id: "b9" }, begins: refused("No task found with ID: b9. No task runs.") },
  ],
};
