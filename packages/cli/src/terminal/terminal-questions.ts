import type { CanUseTool, EngineOptions } from "@pawl/core";
import { styleFor } from "../print/terminal-text.ts";
import { Asker } from "./asker.ts";
import type { GatedPresenter } from "./gated-presenter.ts";
import { askOnTerminal } from "./permission-question.ts";
import { askPlanOnTerminal } from "./plan-question.ts";
import { askTrustOnTerminal } from "./trust-question.ts";
import { askUserOnTerminal } from "./user-questions.ts";

/** The options by which the person at this terminal answers, instead of nobody. */
export function terminalQuestions(presenter: GatedPresenter): Pick<EngineOptions, "canUseTool" | "askTrust"> {
  const output = process.stdout.isTTY ? process.stdout : process.stderr;
  const asker = new Asker({
    input: process.stdin,
    output,
    style: styleFor(output),
    pauseDisplay: () => presenter.hold(),
    interrupt: () => process.kill(process.pid, "SIGINT"),
    suspend,
  });
  const own: Readonly<Record<string, CanUseTool | undefined>> = {
    AskUserQuestion: askUserOnTerminal(asker),
    ExitPlanMode: askPlanOnTerminal(asker),
  };
  const askPermission = askOnTerminal(asker, process.cwd());
  return {
    canUseTool: (tool, input, about) => (own[tool] ?? askPermission)(tool, input, about),
    askTrust: askTrustOnTerminal(asker),
  };
}

function suspend(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGCONT", () => resolve());
    process.kill(process.pid, "SIGTSTP");
  });
}
