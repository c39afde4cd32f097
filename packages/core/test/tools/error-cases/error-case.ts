import type { EngineOptions } from "@pawl/core";
import type { Place } from "../../scenarios/engine-harness.ts";

export type Call = readonly [tool: string, input: Record<string, unknown>];

/** One call that goes wrong, and what the model is told. `{root}` stands for the project's folder, `{home}` for the config home. */
export type ErrorCase = {
  what: string;
  input: Record<string, unknown>;
  /** The project's files. */
  files?: Readonly<Record<string, string>>;
  setUp?: (place: Place) => Promise<void>;
  /** Calls that come before it, each in an answer of its own. */
  first?: readonly Call[];
  options?: Partial<EngineOptions>;
  env?: Readonly<Record<string, string>>;
  /** How the text of the result begins. */
  begins: string;
  /** Default true: some results are told as news and not as errors. */
  isError?: boolean;
};

/** How the result of a call begins that was not carried out. */
export const refused = (text: string): string => `<tool_use_error>${text}`;

/** The same where the input was not right. */
export const wrongInput = (tool: string, issue = ""): string =>
  refused(`InputValidationError: ${tool} failed due to the following issue:\n${issue}`);

/** By the name of the tool. */
export type ErrorTable = Readonly<Record<string, readonly ErrorCase[]>>;
