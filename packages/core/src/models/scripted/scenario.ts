import { messageOf, PawlError } from "../../lib/error.ts";
import type { StopReason, Usage } from "../../messages/message.ts";

/** A conversation written beforehand: each step is one answer of the model. */
export type Scenario = {
  version: 1;
  name: string;
  steps: readonly ScenarioStep[];
  /** Whether a request without a step left, or against an expectation, fails; default true. */
  strict?: boolean;
  /** What the small model says; without it there is none. It takes no steps. */
  smallModel?: readonly SmallModelAnswer[];
};

/** The first whose `contains` is a part of the question, system text included, answers it; one without it answers any. */
export type SmallModelAnswer = { contains?: string; answer: string };

export type ScenarioStep = {
  /** What the request must hold: `lastUserText` is a part of the user's latest text, `contains` of the latest tool result. */
  expect?: {
    lastUserText?: string;
    lastResult?: { contains?: string; isError?: boolean };
    toolsInclude?: readonly string[];
  };
  /**
   * Values for `{{name}}` in texts and inputs, by regular expression: its first group, or all of the match. Looked for in
   * the latest tool result when the step is asked for, then in the latest result of the step's own calls.
   */
  capture?: Record<string, string>;
  answer: readonly ScenarioBlock[];
  stop?: StopReason;
  usage?: Partial<Usage>;
  fault?: ScenarioFault;
  /** Before the answer. */
  delayMs?: number;
};

/** What goes wrong after `afterBlocks` blocks (default 0) of the answer, `times` times (default once) before it is given whole. */
export type ScenarioFault = {
  type: "status" | "cut" | "stall" | "error_event";
  afterBlocks?: number;
  times?: number;
  status?: number;
  retryAfterMs?: number;
  message?: string;
};

export type ScenarioBlock =
  | { text: string }
  | { thinking: string }
  | { tool: string; input: Record<string, unknown>; id?: string };

const NEWEST_VERSION = 1;

/**
 * Reads a scenario from YAML or JSON text. `name` is where the text comes from: it stands in every error, and for the
 * scenario's own name when the text gives none.
 *
 * @throws PawlError `scenario_invalid` with every fault, its place (`steps[2].answer[0]`) and how to fix it.
 */
export async function parseScenario(text: string, name: string): Promise<Scenario> {
  const value = await readText(text, name);
  refuseNewerVersion(value, name);
  const { checkScenario } = await import("./scenario-schema.ts");
  const checked = checkScenario(value, name);
  if (checked.ok) return checked.scenario;
  throw new PawlError("scenario_invalid", [`${name}: not a valid scenario`, ...checked.issues].join("\n  "));
}

async function readText(text: string, name: string): Promise<unknown> {
  const { parse } = await import("yaml"); // reads JSON too
  try {
    return parse(text, { prettyErrors: true });
  } catch (error) {
    throw new PawlError("scenario_invalid", `${name}: neither YAML nor JSON: ${messageOf(error)}`, { cause: error });
  }
}

function refuseNewerVersion(value: unknown, name: string): void {
  if (typeof value !== "object" || value === null || !("version" in value)) return;
  if (typeof value.version !== "number" || value.version <= NEWEST_VERSION) return;
  throw new PawlError(
    "scenario_invalid",
    `${name}: scenario version ${value.version} is newer than version ${NEWEST_VERSION}, the newest known here; update this program or write version ${NEWEST_VERSION}`,
  );
}
