/** What one call would reach. Paths are absolute or relative to the session's current directory. */
export type Touch =
  | { type: "read"; path: string }
  | { type: "write"; path: string }
  | { type: "command"; command: string }
  | { type: "url"; url: string }
  | { type: "other" };
