import { type RecoveryStep, tried } from "./recovery-step.ts";

/** Credentials may have run out: they are fetched anew, once. */
export const refreshCredentials: RecoveryStep = (failure, state) => {
  if (failure.type !== "auth" || state.recovery.hasRefreshedCredentials) return undefined;
  return {
    transition: { type: "credential_refresh_retry" },
    action: { type: "refresh_credentials" },
    state: tried(state, { hasRefreshedCredentials: true, tries: 0 }),
  };
};
