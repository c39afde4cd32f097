import type { WorkspaceFiles } from "../files/workspace-files.ts";
import type { ToolUseId } from "../messages/message.ts";
import { sessionTaskList } from "../tools/builtin/task-list-store.ts";
import type { ToolContext } from "../tools/tool.ts";
import { readAccess } from "./read-access.ts";
import type { SdkMessage } from "./sdk-message.ts";
import { type Session, setPart } from "./session.ts";
import { setMode } from "./set-mode.ts";
import { webSearcher } from "./web-search.ts";

/** What one call of a tool may use of this session. */
export function toolContext(
  session: Session,
  toolUseId: ToolUseId,
  signal: AbortSignal,
  files: WorkspaceFiles,
): ToolContext {
  const { appState, shell, store, planPath } = session.config;
  const searchWeb = webSearcher([session.config.smallModel, session.model], session.sideDeps);
  const state: ToolContext["state"] = {
    get: (part) => appState.get().parts[part],
    set: (part, value) => setPart(session, part, value),
  };
  return {
    toolUseId,
    signal,
    cwd: appState.get().cwd,
    roots: appState.get().directories,
    mode: { get: () => appState.get().mode, set: (mode) => setMode(session, mode) },
    planPath,
    setCwd: (cwd) => appState.set((before) => ({ ...before, cwd })),
    files,
    readAccess: readAccess(session, toolUseId, files),
    readState: session.readMarks.of(toolUseId),
    shell,
    state,
    storeOutput: (name, text) => store.storeOutput(name, text),
    progress: () => {},
    tasks: session.tasks,
    scheduler: session.scheduler,
    taskList: session.config.taskList ?? sessionTaskList(state),
    notifyUser: (text) => session.frames.push(notificationFrame(session, toolUseId, text)),
    now: session.config.clock.now,
    notify: (notice) => session.inbox.notify(notice, "wakes"),
    ...(session.askSmallModel && { askSmallModel: session.askSmallModel }),
    ...(searchWeb && { searchWeb }),
  };
}

function notificationFrame({ config }: Session, key: string, text: string): SdkMessage {
  const envelope = { uuid: config.clock.uuid(), session_id: config.sessionId };
  return { type: "system", subtype: "notification", key, text, priority: "high", ...envelope };
}
