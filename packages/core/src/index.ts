import { createEngine } from "./assemble.ts";
import { oneShot } from "./engine/one-shot.ts";
import { onFirstCall } from "./lib/on-first-call.ts";

/**
 * Runs a prompt (or several, as turns of one conversation) and gives the frames as they come; each turn ends with a
 * `result`. Leaving early aborts the turn and ends every child process.
 *
 * @example
 * for await (const message of query({ prompt: "What does this project do?", options: { cwd: "." } })) {
 *   if (message.type === "result") console.log(message.result);
 * }
 */
export const query = oneShot(createEngine);

/**
 * Runs a user's own tests of rules: `{tests: [{name?, tool, input, expect, mode?, rules?}], mode?, rules?}` or the list
 * alone, in JSON or YAML. `input` may be a text: the command, path or URL.
 *
 * @throws PawlError `rule_tests_invalid` that names the place and what belongs there.
 */
export const testPermissions = onFirstCall(async () => (await import("./permissions/rule-tests.ts")).testPermissions);

export { checkPermission, createEngine, permissionJudge } from "./assemble.ts";
export type { Command, CommandContext, CommandOutcome } from "./engine/command.ts";
export type { EngineConfig } from "./engine/engine-config.ts";
export {
  changeSetting,
  type InspectOptions,
  inspectSettings,
  removeSetting,
  type SettingScope,
  type SettingsReport,
} from "./engine/inspect-settings.ts";
export type { QueryInput } from "./engine/one-shot.ts";
export type { EngineOptions } from "./engine/options.ts";
export { QueryEngine } from "./engine/query-engine.ts";
export type {
  SdkApiRetry,
  SdkAssistant,
  SdkInit,
  SdkMessage,
  SdkResult,
  SdkStreamEvent,
  SdkUser,
} from "./engine/sdk-message.ts";
export { nearestName } from "./lib/edit-distance.ts";
export { type ErrorCode, PawlError } from "./lib/error.ts";
export type { ApiBlock, ApiMessage, KnownApiBlock } from "./messages/api-message.ts";
export { estimateTokens } from "./messages/estimate-tokens.ts";
export { repairMessages } from "./messages/repair.ts";
export { violations } from "./messages/violations.ts";
export { modelAliases } from "./models/catalog.ts";
export type { Model, ModelEvent, ModelRequest } from "./models/model.ts";
export { callInput } from "./permissions/call-input.ts";
export type { CheckAnswer } from "./permissions/check.ts";
export type { Classify } from "./permissions/classifier.ts";
export type { CanUseTool, HostAnswer, PermissionQuestion } from "./permissions/decision.ts";
export type { PermissionExplanation } from "./permissions/explain.ts";
export type { PermissionJudge } from "./permissions/judge.ts";
export { type PermissionMode, permissionModes } from "./permissions/mode.ts";
export type { RuleTestReport } from "./permissions/rule-tests.ts";
export { type PermissionUpdate, ruleText } from "./permissions/update.ts";
export type { Combined, SettingSource, Settings, Sourced } from "./settings/settings.ts";
export type { AskedQuestions } from "./tools/builtin/ask-user-question.ts";
export { tool } from "./tools/sdk-tool.ts";
export type { Tool, ToolContext, ToolResult } from "./tools/tool.ts";
export type { FolderConsent } from "./trust/consent-store.ts";
export type { AskTrust, TrustAnswer, TrustItem, TrustQuestion } from "./trust/trust-question.ts";
export { revokeTrust, trustedFolders } from "./trust/trusted-folders.ts";
export { version } from "./version.ts";
