import { resolve } from "node:path";
import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { PawlError } from "../lib/error.ts";
import { permissionModeNamed, permissionModes } from "../permissions/mode.ts";
import type { EngineOptions } from "./options.ts";

/** A timer of Node runs no longer; a longer one fires at once. Milliseconds. */
export const MAX_TIMER_MS = 2_147_483_647;

/** Every option there is: the compiler holds the list to the type. */
const known = {
  cwd: true,
  model: true,
  fallbackModels: true,
  smallModel: true,
  unattendedMs: true,
  systemPrompt: true,
  appendSystemPrompt: true,
  tools: true,
  customTools: true,
  allowedTools: true,
  disallowedTools: true,
  permissionMode: true,
  allowDangerouslySkipPermissions: true,
  classify: true,
  canUseTool: true,
  additionalDirectories: true,
  maxTurns: true,
  maxBudgetUsd: true,
  taskBudget: true,
  maxDurationMs: true,
  maxToolCalls: true,
  outputSchema: true,
  toolUseSummaries: true,
  thinking: true,
  includePartialMessages: true,
  replayUserMessages: true,
  sessionId: true,
  resume: true,
  continueSession: true,
  forkSession: true,
  persistSession: true,
  env: true,
  settingSources: true,
  settings: true,
  managedSettings: true,
  managedSettingsFolders: true,
  trustFolder: true,
  askTrust: true,
  abortController: true,
  entrypoint: true,
  durable: true,
} as const satisfies Record<keyof EngineOptions, true>;

/** Refuses what cannot be meant, naming the option and the fix. Paths are checked where they are resolved. */
export function checkOptions(options: EngineOptions): void {
  const { permissionMode, resume, continueSession, forkSession, sessionId } = options;
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) {
    throw badOption(unknown, `is not known; the options are ${Object.keys(known).sort().join(", ")}`);
  }
  checkLimits(options);
  if (permissionMode !== undefined && permissionModeNamed(permissionMode) === undefined) {
    throw badOption("permissionMode", `is "${permissionMode}"; give one of ${permissionModes.join(", ")}`);
  }
  if (resume !== undefined && continueSession) {
    throw badOption("resume", "does not go with continueSession; give one of them");
  }
  const goesOn = resume !== undefined || continueSession === true;
  if (forkSession && !goesOn) throw badOption("forkSession", "goes with resume or continueSession only");
  if (goesOn && sessionId !== undefined && !forkSession) {
    throw new PawlError(
      "bad_option",
      "--session-id can only be used with --continue or --resume if --fork-session is also specified.",
    );
  }
}

function checkLimits(options: EngineOptions): void {
  for (const name of ["maxTurns", "taskBudget", "maxDurationMs", "maxToolCalls", "unattendedMs"] as const) {
    const value = options[name];
    if (value === undefined || (Number.isInteger(value) && value >= 1)) continue;
    throw badOption(name, `is ${value}; give a whole number of at least 1`);
  }
  const { maxBudgetUsd } = options;
  if (maxBudgetUsd !== undefined && !(Number.isFinite(maxBudgetUsd) && maxBudgetUsd > 0)) {
    throw badOption("maxBudgetUsd", `is ${maxBudgetUsd}; give an amount in dollars of more than 0`);
  }
  for (const name of ["maxDurationMs", "unattendedMs"] as const) {
    const value = options[name];
    if (value === undefined || value <= MAX_TIMER_MS) continue;
    throw badOption(name, `is ${value}; give at most ${MAX_TIMER_MS} (24 days), or leave it out`);
  }
}

/** The real path of a folder that must be there. */
export async function workingDirectory(option: string, path: string, files: WorkspaceFiles): Promise<string> {
  const absolute = resolve(path);
  const found = await files.stat(absolute);
  if (found?.isDirectory) return files.realPath(absolute);
  throw badOption(option, `is ${absolute}, which is ${found ? "not a folder" : "not there"}; give an existing folder`);
}

export const badOption = (option: string, what: string) => new PawlError("bad_option", `Option ${option} ${what}.`);
