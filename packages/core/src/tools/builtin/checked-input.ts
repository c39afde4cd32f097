import { PawlError } from "../../lib/error.ts";
import type { ParsedInput } from "../tool.ts";

/** Input that the schema takes, and of which `check` throws, as a PawlError, what the schema cannot say. */
export function checkedInput<Input>(parsed: ParsedInput<Input>, check: (input: Input) => void): ParsedInput<Input> {
  if (!parsed.ok) return parsed;
  try {
    check(parsed.input);
    return parsed;
  } catch (error) {
    if (!(error instanceof PawlError)) throw error;
    return { ok: false, issues: [error.message] };
  }
}
