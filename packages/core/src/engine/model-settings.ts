import type { Deadlines } from "../models/anthropic/deadlines.ts";
import { type StreamCutRecovery, streamCutRecoveries } from "../query/config.ts";
import { MAX_RETRIES } from "../query/recovery/bounds.ts";
import { envVar } from "../settings/env-var.ts";
import type { Settings, Sourced } from "../settings/settings.ts";
import { badOption, MAX_TIMER_MS } from "./check-options.ts";
import { wholeNumber } from "./tool-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What settings and variables say about how models are reached. */
export type ModelSettings = {
  deadlines: Partial<Deadlines>;
  /** Models to fall back to, in order. */
  fallbackNames: readonly string[];
  /** Times that a request which fails is made again. */
  maxRetries?: number;
  streamCutRecovery?: StreamCutRecovery;
  /** How long a key of `apiKeyHelper` is used before it is asked again. Milliseconds. */
  keyHelperTtlMs?: number;
  /** What was left out, where, and how to fix it. */
  notices: readonly string[];
};

/** A variable without its prefix, the key in the settings' `timeouts`, and the deadlines that both set. */
const knobs = [
  { variable: "CONNECT_TIMEOUT_MS", key: "connectMs", sets: ["connectMs"] },
  { variable: "HEADERS_TIMEOUT_MS", key: "headersMs", sets: ["headersMs"] },
  { variable: "STALL_TIMEOUT_MS", key: "stallMs", sets: ["firstContentMs", "contentGapMs"] },
  { variable: "ANSWER_TIMEOUT_MS", key: "answerMs", sets: ["wholeAnswerMs"] },
] as const satisfies readonly { variable: string; key: string; sets: readonly (keyof Deadlines)[] }[];

/** What `API_TIMEOUT_MS`, the public name for the time of one request, stands for where none of ours is given. */
const boundByRequest = ["headersMs", "firstContentMs", "wholeAnswerMs"] as const satisfies readonly (keyof Deadlines)[];

/** A variable wins over the settings. @throws PawlError `bad_option` for a variable that is no time. */
export function modelSettings(env: Environment, { other }: Settings): ModelSettings {
  const notices: string[] = [];
  const stored = storedTimeouts(other["timeouts"]);
  const deadlines: Partial<Deadlines> = {};
  const requestMs = timeIn(env, "API_TIMEOUT_MS");
  if (requestMs !== undefined) for (const deadline of boundByRequest) deadlines[deadline] = requestMs;
  for (const { variable, key, sets } of knobs) {
    const ms = timeIn(env, variable) ?? stored[key];
    if (ms !== undefined) for (const deadline of sets) deadlines[deadline] = ms;
  }
  const maxRetries = retriesIn(env, notices);
  const keyHelperTtlMs = wholeNumber(env, "API_KEY_HELPER_TTL_MS");
  const streamCutRecovery = cutRecovery(env, other["streamCutRecovery"]);
  return {
    deadlines,
    fallbackNames: storedFallbacks(other["fallbackModel"]),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    ...(streamCutRecovery === undefined ? {} : { streamCutRecovery }),
    ...(keyHelperTtlMs === undefined ? {} : { keyHelperTtlMs }),
    notices,
  };
}

function timeIn(env: Environment, variable: string): number | undefined {
  const ms = wholeNumber(env, variable);
  if (ms === undefined || isDeadline(ms)) return ms;
  throw badOption(`PAWL_${variable}`, `is ${ms}; give milliseconds, from 1 to ${MAX_TIMER_MS}`);
}

/** What does not fit has been left out where the settings were read. */
function storedTimeouts(setting: Sourced<unknown> | undefined): Readonly<Record<string, number>> {
  const times = Object.entries(setting?.value ?? {});
  return Object.fromEntries(times.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

const isDeadline = (ms: number) => Number.isInteger(ms) && ms >= 1 && ms <= MAX_TIMER_MS;

function retriesIn(env: Environment, notices: string[]): number | undefined {
  const retries = wholeNumber(env, "MAX_RETRIES");
  if (retries === undefined || retries <= MAX_RETRIES) return retries;
  notices.push(`PAWL_MAX_RETRIES is ${retries}; ${MAX_RETRIES}, the most there is, is used`);
  return MAX_RETRIES;
}

function cutRecovery(env: Environment, setting: Sourced<unknown> | undefined): StreamCutRecovery | undefined {
  const known = streamCutRecoveries.join(", ");
  const named = envVar(env, "STREAM_CUT_RECOVERY");
  const found = streamCutRecoveries.find((each) => each === (named ?? setting?.value));
  if (found !== undefined) return found;
  if (named !== undefined) throw badOption("PAWL_STREAM_CUT_RECOVERY", `is "${named}"; give one of ${known}`);
  return undefined;
}

function storedFallbacks(setting: Sourced<unknown> | undefined): readonly string[] {
  const names: unknown[] = [setting?.value ?? []].flat();
  return names.filter((name): name is string => typeof name === "string");
}
