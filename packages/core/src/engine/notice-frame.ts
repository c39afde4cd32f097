import type { EngineConfig } from "./engine-config.ts";
import type { SdkMessage } from "./sdk-message.ts";

type Noticing = { config: Pick<EngineConfig, "clock" | "sessionId"> };

/** What the person should know of the session, such as settings that could not be used. */
export function noticeFrame({ config }: Noticing, content: string): SdkMessage {
  const envelope = { uuid: config.clock.uuid(), session_id: config.sessionId };
  return { type: "system", subtype: "informational", content, level: "warning", ...envelope };
}
