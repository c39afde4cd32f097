import type { ToolCall, ToolOutcome } from "../tools/tool.ts";
import type { SdkToolProgress } from "./sdk-message.ts";

/** A call that takes longer says so. Milliseconds. */
const FIRST_PROGRESS_MS = 2_000;
/** Between two frames of one call. Milliseconds. */
const PROGRESS_EVERY_MS = 5_000;
/** From then on a frame is only a sign of life, and comes this often. Milliseconds. */
const HEARTBEAT_EVERY_MS = 30_000;

/** Runs a call, and tells every now and then that it still runs. */
export async function withProgress(
  call: ToolCall,
  run: () => Promise<ToolOutcome>,
  tell: (progress: Omit<SdkToolProgress, "uuid" | "session_id">) => void,
): Promise<ToolOutcome> {
  const startedAt = performance.now();
  let timer = setTimeout(show, FIRST_PROGRESS_MS);
  function show(): void {
    const elapsedMs = performance.now() - startedAt;
    const isHeartbeat = elapsedMs >= HEARTBEAT_EVERY_MS;
    tell({
      type: "tool_progress",
      tool_use_id: call.id,
      tool_name: call.name,
      parent_tool_use_id: null,
      elapsed_time_seconds: Math.round(elapsedMs / 100) / 10,
      ...(isHeartbeat ? { heartbeat: true } : {}),
    });
    timer = setTimeout(show, isHeartbeat ? HEARTBEAT_EVERY_MS : PROGRESS_EVERY_MS);
  }
  try {
    return await run();
  } finally {
    clearTimeout(timer);
  }
}
