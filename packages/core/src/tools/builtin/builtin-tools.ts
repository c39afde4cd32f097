import type { Tool } from "../tool.ts";
import { applyPatchTool } from "./apply-patch.ts";
import { askUserQuestionTool } from "./ask-user-question.ts";
import { type BashOptions, createBashTool } from "./bash.ts";
import { cronCreateTool } from "./cron-create.ts";
import { cronDeleteTool } from "./cron-delete.ts";
import { cronListTool } from "./cron-list.ts";
import { editTool } from "./edit.ts";
import { enterPlanModeTool } from "./enter-plan-mode.ts";
import { enterWorktreeTool } from "./enter-worktree.ts";
import { exitPlanModeTool } from "./exit-plan-mode.ts";
import { exitWorktreeTool } from "./exit-worktree.ts";
import { createGlobTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { createLspTool, type LspSettings } from "./lsp.ts";
import { createMonitorTool } from "./monitor.ts";
import { notebookEditTool } from "./notebook-edit.ts";
import { pushNotificationTool } from "./push-notification.ts";
import { createReadTool } from "./read.ts";
import { scheduleWakeupTool } from "./schedule-wakeup.ts";
import { taskCreateTool } from "./task-create.ts";
import { taskGetTool } from "./task-get.ts";
import { taskListTool } from "./task-list-tool.ts";
import { taskOutputTool } from "./task-output.ts";
import { taskStopTool } from "./task-stop.ts";
import { taskUpdateTool } from "./task-update.ts";
import { todoWriteTool } from "./todo-write.ts";
import { toolSearchTool } from "./tool-search.ts";
import type { FetchSettings } from "./web/fetch-settings.ts";
import { createWebFetchTool } from "./web-fetch.ts";
import { createWebSearchTool, type SearchSettings } from "./web-search.ts";
import { writeTool } from "./write.ts";

export type BuiltinToolOptions = {
  webFetch?: FetchSettings;
  webSearch?: SearchSettings;
  lsp?: LspSettings;
  bash?: BashOptions;
  /** Tokens that one read may give. */
  maxReadTokens?: number;
  /** Glob finds ignored files too. */
  globNoIgnore?: boolean;
};

/** Every tool that comes with the engine, in the order in which the model is told of them. */
export function builtinTools({
  bash,
  maxReadTokens,
  globNoIgnore,
  webFetch,
  webSearch,
  lsp,
}: BuiltinToolOptions = {}): readonly Tool[] {
  return [
    createReadTool(maxReadTokens === undefined ? {} : { maxTokens: maxReadTokens }),
    writeTool,
    editTool,
    notebookEditTool,
    applyPatchTool,
    createBashTool(bash),
    createGlobTool(globNoIgnore === undefined ? {} : { noIgnore: globNoIgnore }),
    grepTool,
    createWebFetchTool(webFetch),
    createWebSearchTool(webSearch),
    createLspTool(lsp),
    toolSearchTool,
    taskOutputTool,
    taskStopTool,
    createMonitorTool(bash, webFetch),
    todoWriteTool,
    taskCreateTool,
    taskGetTool,
    taskUpdateTool,
    taskListTool,
    askUserQuestionTool,
    enterPlanModeTool,
    exitPlanModeTool,
    enterWorktreeTool,
    exitWorktreeTool,
    scheduleWakeupTool,
    cronCreateTool,
    cronDeleteTool,
    cronListTool,
    pushNotificationTool,
  ];
}
