import { type RecoveryStep, tried } from "./recovery-step.ts";

/** Media that the provider refuses are replaced by a text that names them, once. */
export const stripMedia: RecoveryStep = (failure, state) => {
  if (failure.type !== "media" || state.recovery.hasStrippedMedia) return undefined;
  return {
    transition: { type: "media_strip_retry" },
    action: { type: "strip_media" },
    state: tried(state, { hasStrippedMedia: true, tries: 0 }),
  };
};
