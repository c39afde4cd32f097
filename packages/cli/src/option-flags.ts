import type { EngineOptions } from "@pawl/core";

/** The flags behind the options that the engine's errors name. */
const flagOf = {
  model: "--model",
  fallbackModels: "--fallback-model",
  unattendedMs: "--unattended",
  maxTurns: "--max-turns",
  maxBudgetUsd: "--max-budget-usd",
  taskBudget: "--task-budget",
  maxDurationMs: "--max-duration",
  maxToolCalls: "--max-tool-calls",
  outputSchema: "--json-schema",
  permissionMode: "--permission-mode",
  additionalDirectories: "--add-dir",
  sessionId: "--session-id",
  resume: "--resume",
  continueSession: "--continue",
  forkSession: "--fork-session",
} as const satisfies Partial<Record<keyof EngineOptions, string>>;

const names = Object.entries(flagOf);

/** An error about options in the words of who typed flags: `Option maxTurns is 0` becomes `--max-turns is 0`. */
export function inFlags(message: string): string {
  return names.reduce(
    (text, [option, flag]) => text.replaceAll(`Option ${option} `, `${flag} `).replaceAll(`(${option} `, `(${flag} `),
    message,
  );
}
