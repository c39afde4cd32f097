import { offerOf } from "./deferral.ts";
import type { SdkInit } from "./sdk-message.ts";
import type { Session } from "./session.ts";

/** Those that the model must search for too. */
function offeredNames(session: Session): string[] {
  const { tools, deferred } = offerOf(session);
  const offered = new Set([...tools, ...deferred]);
  return session.config.tools.filter((tool) => offered.has(tool)).map(({ name }) => name);
}

/** The session as it is when a turn begins. */
export function initFrame(session: Session): SdkInit {
  const { config, model } = session;
  const state = config.appState.get();
  return {
    type: "system",
    subtype: "init",
    apiKeySource: config.apiKeySource,
    claude_code_version: config.version,
    cwd: state.cwd,
    model: model.id,
    output_style: "default",
    permissionMode: state.mode,
    tools: offeredNames(session),
    slash_commands: config.commands.map((command) => command.name),
    skills: [],
    mcp_servers: [],
    plugins: [],
    agents: [],
    uuid: config.clock.uuid(),
    session_id: config.sessionId,
  };
}
