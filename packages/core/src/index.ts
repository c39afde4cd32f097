import { createEngine } from "./assemble.ts";
import { oneShot } from "./engine/one-shot.ts";

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

export { createEngine } from "./assemble.ts";
export type { Command, CommandContext, CommandOutcome } from "./engine/command.ts";
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
export type { EngineConfig } from "./engine/session.ts";
export { type ErrorCode, PawlError } from "./lib/error.ts";
export type { ApiBlock, ApiMessage, KnownApiBlock } from "./messages/api-message.ts";
export { estimateTokens } from "./messages/estimate-tokens.ts";
export { repairMessages } from "./messages/repair.ts";
export { violations } from "./messages/violations.ts";
export { modelAliases } from "./models/catalog.ts";
export type { Model, ModelEvent, ModelRequest } from "./models/model.ts";
export type { CanUseTool, HostAnswer } from "./permissions/decision.ts";
export { type PermissionMode, permissionModes } from "./permissions/mode.ts";
export { tool } from "./tools/sdk-tool.ts";
export type { Tool, ToolContext, ToolResult } from "./tools/tool.ts";
export { version } from "./version.ts";
