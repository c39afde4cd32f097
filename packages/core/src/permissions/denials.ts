import type { ToolUseId } from "../messages/message.ts";

/** One call that was not allowed, as the turn's result reports it. */
export type PermissionDenial = {
  toolName: string;
  toolUseId: ToolUseId;
  input: Record<string, unknown>;
  reason: string;
  /** Milliseconds since the epoch. */
  time: number;
};

/** Beyond this many the earliest are dropped. */
export const MAX_DENIALS = 1_000;

interface DenialRecorder {
  record(denial: PermissionDenial): void;
  /** In the order of their recording. */
  denials(): readonly PermissionDenial[];
}

export function createDenialRecorder(initial: readonly PermissionDenial[] = []): DenialRecorder {
  const recorded = initial.slice(-MAX_DENIALS);
  return {
    record(denial) {
      recorded.push(denial);
      if (recorded.length > MAX_DENIALS) recorded.shift();
    },
    denials: () => [...recorded],
  };
}
