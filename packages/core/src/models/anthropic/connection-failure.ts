import { messageOf, systemCode } from "../../lib/error.ts";
import type { ModelFailure, Phase } from "../failure.ts";

/** A connection that failed. */
export function connectionFailure(error: unknown, phase: Phase, host: string): ModelFailure {
  const code = systemCode(error);
  const what = `${reasonOf(error)}${code === undefined || messageOf(error).includes(code) ? "" : ` (${code})`}`;
  if (phase === "connect") return { type: "network", phase, message: `cannot connect to ${host}: ${what}` };
  if (phase === "headers") return { type: "network", phase, message: `${host} closed the connection: ${what}` };
  const isCut = code === "ECONNRESET" || code === "ERR_STREAM_PREMATURE_CLOSE" || code === "Z_BUF_ERROR";
  return { type: isCut ? "cut" : "network", phase, message: `the answer of ${host} broke off: ${what}` };
}

const LATE: Record<Phase, { type: "timeout" | "stalled"; setting: string; what: string }> = {
  connect: { type: "timeout", setting: "PAWL_CONNECT_TIMEOUT_MS", what: "no connection to" },
  headers: { type: "timeout", setting: "PAWL_HEADERS_TIMEOUT_MS", what: "no response from" },
  first_content: { type: "stalled", setting: "PAWL_STALL_TIMEOUT_MS", what: "no content from" },
  content: { type: "stalled", setting: "PAWL_STALL_TIMEOUT_MS", what: "no more content from" },
  whole_answer: { type: "timeout", setting: "PAWL_ANSWER_TIMEOUT_MS", what: "no whole answer from" },
};

/** A request that a deadline ended. */
export function lateFailure(phase: Phase, limitMs: number, host: string): ModelFailure {
  const { type, setting, what } = LATE[phase];
  return { type, phase, message: `${what} ${host} within ${limitMs / 1000} s (${setting})` };
}

/** The words of a system error; those of several tried addresses are joined, since Node leaves the outer message empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return messageOf(error);
}
