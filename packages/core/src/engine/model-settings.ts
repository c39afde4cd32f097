import type { Deadlines } from "../models/anthropic/deadlines.ts";
import type { Settings, Sourced } from "../settings/settings.ts";
import { badOption, MAX_TIMER_MS } from "./check-options.ts";
import { wholeNumber } from "./tool-settings.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What settings and variables say about how models are reached. */
export type ModelSettings = {
  deadlines: Partial<Deadlines>;
  /** Models to fall back to, in order. */
  fallbackNames: readonly string[];
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

/** A variable wins over the settings. @throws PawlError `bad_option` for a variable that is no time. */
export function modelSettings(env: Environment, { other }: Settings): ModelSettings {
  const notices: string[] = [];
  const stored = storedTimeouts(other["timeouts"], notices);
  const deadlines: Partial<Deadlines> = {};
  for (const { variable, key, sets } of knobs) {
    const ms = timeIn(env, variable) ?? stored[key];
    if (ms !== undefined) for (const deadline of sets) deadlines[deadline] = ms;
  }
  return { deadlines, fallbackNames: storedFallbacks(other["fallbackModel"], notices), notices };
}

function timeIn(env: Environment, variable: string): number | undefined {
  const ms = wholeNumber(env, variable);
  if (ms === undefined || isDeadline(ms)) return ms;
  throw badOption(`PAWL_${variable}`, `is ${ms}; give milliseconds, from 1 to ${MAX_TIMER_MS}`);
}

function storedTimeouts(setting: Sourced<unknown> | undefined, notices: string[]): Readonly<Record<string, number>> {
  if (setting === undefined) return {};
  const { value, source } = setting;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    notices.push(`${source}: timeouts is left out; write an object, such as {"stallMs": 90000}`);
    return {};
  }
  const known: readonly string[] = knobs.map(({ key }) => key);
  const times: Record<string, number> = {};
  for (const [key, ms] of Object.entries(value)) {
    if (!known.includes(key)) notices.push(`${source}: timeouts.${key} is not known; there are ${known.join(", ")}`);
    else if (typeof ms === "number" && isDeadline(ms)) times[key] = ms;
    else {
      const shown = JSON.stringify(ms);
      notices.push(`${source}: timeouts.${key} is ${shown} and left out; give milliseconds, from 1 to ${MAX_TIMER_MS}`);
    }
  }
  return times;
}

const isDeadline = (ms: number) => Number.isInteger(ms) && ms >= 1 && ms <= MAX_TIMER_MS;

function storedFallbacks(setting: Sourced<unknown> | undefined, notices: string[]): readonly string[] {
  if (setting === undefined) return [];
  const names: unknown[] = Array.isArray(setting.value) ? setting.value : [setting.value];
  return names.filter((name): name is string => {
    if (typeof name === "string" && name.trim() !== "") return true;
    notices.push(`${setting.source}: fallbackModel is left out; write the name of a model, or a list of names`);
    return false;
  });
}
