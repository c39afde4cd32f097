import type { SdkResult } from "@pawl/core";

export const usageExitCode = 2;

/** As shells count them: 128 and the signal's number. */
export const signalExitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;
export type EndingSignal = keyof typeof signalExitCodes;

/** How a session went. */
type SessionEnd = {
  signal: EndingSignal | undefined;
  /** How many were asked for. */
  turns: number;
  last: SdkResult | undefined;
  /** Of the input, something was not taken. */
  hasRefusals: boolean;
};

/** What the process says of it: the signal that ended it, else what was refused, else the last turn's result. */
export function exitCodeOf({ signal, turns, last, hasRefusals }: SessionEnd): number {
  if (signal !== undefined) return signalExitCodes[signal];
  if (hasRefusals) return 1;
  if (turns === 0) return 0;
  return last === undefined || last.is_error ? 1 : 0;
}

export const exitCodesHelp = `Exit codes:
  0    the turn completed, or no turn was asked for
  1    it ended with an error: the model failed or refused, a limit was reached, there is no such session,
       the answer could not be written, a line of stream-json input was not taken, or a scenario was not played to its end
  2    bad usage: nothing was sent
  130  SIGINT (Ctrl-C); 143 SIGTERM; 129 SIGHUP`;
