import { messageOf } from "../../lib/error.ts";
import type { ParsedInput } from "../tool.ts";

/** Input that the schema takes, and of which `check` throws what the schema cannot say. */
export function checkedInput<Input>(parsed: ParsedInput<Input>, check: (input: Input) => void): ParsedInput<Input> {
  if (!parsed.ok) return parsed;
  try {
    check(parsed.input);
    return parsed;
  } catch (error) {
    return { ok: false, issues: [messageOf(error)] };
  }
}
