import { type CanUseTool, type HostAnswer, type PermissionQuestion, type PermissionUpdate, ruleText } from "@pawl/core";
import type { Asker, Choice, Question } from "./asker.ts";
import { callLines } from "./call-lines.ts";
import { withUnseenShown } from "./shown-text.ts";

type Decision = "once" | "always" | "deny" | "tell";

/** Asks the person at the terminal about calls that rules and mode leave open. */
export function askOnTerminal(asker: Asker, cwd: string): CanUseTool {
  return async (tool, input, about) => {
    const reply = await asker.ask(questionAbout(tool, input, about, cwd), about.signal);
    if (reply.type !== "chosen") return { behavior: "deny", message: "", interrupt: reply.type === "stopped", ...no };
    return answerOf(reply.value, reply.text, about.suggestions);
  };
}

const no = { decisionClassification: "user_reject" } as const;

function answerOf(decision: Decision, text: string, suggestions: readonly PermissionUpdate[]): HostAnswer {
  switch (decision) {
    case "once":
      return { behavior: "allow", decisionClassification: "user_temporary" };
    case "always":
      return { behavior: "allow", updatedPermissions: suggestions, decisionClassification: "user_permanent" };
    case "deny":
    case "tell":
      return { behavior: "deny", message: text, ...no };
    default:
      return decision satisfies never;
  }
}

function questionAbout(
  tool: string,
  input: Record<string, unknown>,
  { because, suggestions, parts = [] }: PermissionQuestion,
  cwd: string,
): Question<Decision> {
  const asked = parts.length < 2 ? [] : ["Its commands (? is asked about):", ...parts.map(partLine)];
  return {
    title: `May ${withUnseenShown(tool)} do this?`,
    body: [...callLines(input, cwd), ...asked],
    reasons: [`Why it asks: ${withUnseenShown(because.reason)}`],
    choices: [
      { key: "y", label: "allow once", value: "once" },
      ...always(suggestions),
      { key: "n", label: "deny", value: "deny" },
      { key: "t", label: "deny, and tell the model what to do", value: "tell", wantsText: TELL },
    ],
  };
}

const TELL = "What should it do instead? (Enter sends it, Esc goes back)";

const partLine = ({ text, isAskedAbout }: { text: string; isAskedAbout: boolean }): string =>
  `${isAskedAbout ? "?" : " "} ${withUnseenShown(text.replaceAll("\n", "⏎"))}`;

/** The very rules, and where they will stand. */
function always(suggestions: readonly PermissionUpdate[]): Choice<Decision>[] {
  if (suggestions.length === 0) return [];
  return [{ key: "a", label: `always allow: ${suggestions.map(effectOf).join("; ")}`, value: "always" }];
}

function effectOf(update: PermissionUpdate): string {
  const where = places[update.destination];
  switch (update.type) {
    case "setMode":
      return `mode ${update.mode} (${where})`;
    case "addDirectories":
    case "removeDirectories":
      return `edits and reads in ${update.directories.map(withUnseenShown).join(", ")} (${where})`;
    default:
      return `${update.rules.map((rule) => withUnseenShown(ruleText(rule))).join(", ")} (${where})`;
  }
}

const places: Readonly<Record<PermissionUpdate["destination"], string>> = {
  userSettings: "in your user settings",
  projectSettings: "in .pawl/settings.json",
  localSettings: "in .pawl/settings.local.json",
  session: "this session",
  cliArg: "this run",
};
