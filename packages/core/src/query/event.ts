import type { AssistantMessage, ToolUseId, UserMessage, Uuid } from "../messages/message.ts";
import type { ModelFailure } from "../models/failure.ts";
import type { Transition } from "./transition.ts";

/** What the loop tells while it runs. */
export type QueryEvent =
  | { type: "request_start"; round: number; attempt: number }
  | { type: "stream_event"; event: unknown }
  /** One whole block of an answer that still streams, under the uuid of its line. */
  | { type: "block"; message: AssistantMessage }
  /** A user line that the loop wrote: a tool result, an injected text, queued input. */
  | { type: "message"; message: UserMessage }
  /** `failure`: what recovery answers with it. */
  | { type: "transition"; transition: Transition; failure?: ModelFailure }
  /** What the user should know while the turn goes on. */
  | { type: "notice"; content: string }
  /** Lines that left the projection. */
  | { type: "tombstone"; uuids: readonly Uuid[]; supersededBy?: Uuid }
  | { type: "tool_use_summary"; summary: string; toolUseIds: readonly ToolUseId[] }
  | { type: "command_completed"; command: string };
