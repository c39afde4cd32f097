import { shown } from "../api-shape.ts";
import type { RuleOptions } from "../rule-options.ts";
import { isPausedEnd, type Report, type Seen } from "./seen.ts";

/** Rules 1 and 2: who speaks first, who last, and that they take turns. */
export function checkTurns(messages: readonly Seen[], options: RuleOptions, report: Report): void {
  const first = messages[0];
  const last = messages.at(-1);
  if (first !== undefined && first.role !== "user") report(1, first.at, "the first message is not from the user");
  if (options.as === "request" && last === undefined) report(1, "messages", "a request needs a message");
  if (options.as === "request" && last?.role === "assistant" && !isPausedEnd(messages, last)) {
    report(1, last.at, "the last message is not from the user");
  }
  messages.forEach(({ role, at }, index) => {
    if (role !== "user" && role !== "assistant") report(2, `${at}.role`, "is neither user nor assistant");
    if (index > 0 && messages[index - 1]?.role === role) report(2, at, `two messages running from the ${shown(role)}`);
  });
}
