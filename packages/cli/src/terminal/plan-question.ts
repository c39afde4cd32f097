import type { CanUseTool, HostAnswer } from "@pawl/core";
import type { Asker, Question } from "./asker.ts";
import { shownLines, withUnseenShown } from "./shown-text.ts";

type Decision = "approve" | "approve_edits" | "deny" | "tell";

/** Shows the plan to the person at the terminal, who approves it or says what to change. */
export function askPlanOnTerminal(asker: Asker): CanUseTool {
  return async (_tool, input, { signal }) => {
    const reply = await asker.ask(questionAbout(input), signal);
    if (reply.type !== "chosen") return { behavior: "deny", message: "", interrupt: reply.type === "stopped", ...no };
    return answerOf(reply.value, reply.text);
  };
}

const no = { decisionClassification: "user_reject" } as const;

function answerOf(decision: Decision, text: string): HostAnswer {
  switch (decision) {
    case "approve":
      return { behavior: "allow", decisionClassification: "user_temporary" };
    case "approve_edits":
      return {
        behavior: "allow",
        updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
        decisionClassification: "user_temporary",
      };
    case "deny":
    case "tell":
      return { behavior: "deny", message: text, ...no };
    default:
      return decision satisfies never;
  }
}

function questionAbout({ plan, planFilePath }: Record<string, unknown>): Question<Decision> {
  return {
    title: "Is this plan right?",
    body: shownLines(typeof plan === "string" ? plan.trimEnd() : ""),
    reasons: [`It lies in ${withUnseenShown(String(planFilePath))}.`],
    choices: [
      { key: "y", label: "approve it", value: "approve" },
      { key: "e", label: "approve it, and allow edits without asking", value: "approve_edits" },
      { key: "n", label: "do not approve it", value: "deny" },
      { key: "t", label: "say what to change", value: "tell", wantsText: "What should be different?" },
    ],
  };
}
