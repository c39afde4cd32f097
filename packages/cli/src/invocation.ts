import type { EngineOptions } from "@pawl/core";

/** What a command line asks for. */
export type Invocation = {
  /** The arguments that are no flags, joined by spaces. */
  prompt: string;
  print: boolean;
  demo: boolean;
  isVerbose: boolean;
  model?: string;
  outputFormat: "text" | "json" | "stream-json";
  inputFormat: "text" | "stream-json";
  allowedTools: string[];
  disallowedTools: string[];
  additionalDirectories: string[];
  /** The flags that go to the engine as they are. */
  options: EngineOptions;
};

export const emptyInvocation = (): Invocation => ({
  prompt: "",
  print: false,
  demo: false,
  isVerbose: false,
  outputFormat: "text",
  inputFormat: "text",
  allowedTools: [],
  disallowedTools: [],
  additionalDirectories: [],
  options: {},
});

/** The engine's options for what was asked. */
export function engineOptions(
  invocation: Invocation,
  env: Readonly<Record<string, string | undefined>> = process.env,
): EngineOptions {
  const { options, model, allowedTools, disallowedTools, additionalDirectories } = invocation;
  const { PAWL_ENTRYPOINT: ours, CLAUDE_CODE_ENTRYPOINT: theirs } = env;
  return {
    ...options,
    ...(model === undefined ? {} : { model }),
    allowedTools,
    disallowedTools,
    additionalDirectories,
    entrypoint: ours ?? theirs ?? "cli",
  };
}
