/** Stable codes to branch on. The message says what, where and how to fix it. */
export type ErrorCode =
  | "aborted"
  | "bad_option"
  | "bad_prompt"
  | "cwd_missing"
  | "engine_busy"
  | "engine_closed"
  | "repeated_uuid"
  | "unknown_model"
  | "missing_key"
  | "api_key_helper"
  | "small_model"
  | "scenario_invalid"
  | "scenario_failed"
  | "settings_invalid"
  | "rule_invalid"
  | "rule_tests_invalid"
  | "session_in_use"
  | "session_not_found"
  | "session_newer"
  | "transcript_write"
  | "tool_invalid"
  | "no_plan"
  | "private_address"
  | "web_fetch"
  | "web_search"
  | "lsp"
  | "file_path"
  | "file_missing"
  | "file_is_directory"
  | "file_not_regular"
  | "file_too_large"
  | "file_encoding"
  | "file_changed"
  | "file_locked"
  | "file_moved"
  | "file_patch"
  | "file_notebook"
  | "file_io"
  | "shell_missing"
  | "internal";

/** The one error class of the engine: thrown only when the caller cannot go on. */
export class PawlError extends Error {
  override readonly name = "PawlError";
  readonly code: ErrorCode;
  constructor(code: ErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system error such as `ENOENT`, or undefined. */
export function systemCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
