/** All may be set for tests. Milliseconds but for the count. */
export const LSP_LIMITS = {
  start: 30_000,
  request: 30_000,
  /** For its last words when it is to end. */
  shutdown: 1_000,
  /** Without a request it is ended after this. */
  idle: 10 * 60_000,
  /** So many crashes within the time below, and it is not started again before that is over. */
  crashes: 3,
  crashWindow: 10 * 60_000,
  /** For diagnostics that come by themselves. */
  diagnostics: 10_000,
  /** For those of a text that was told before: some servers say nothing when nothing is new. */
  recheck: 3_000,
  /** Servers publish in steps: nothing new for so long means that it was all. */
  quiet: 500,
};
export type LspLimits = typeof LSP_LIMITS;
