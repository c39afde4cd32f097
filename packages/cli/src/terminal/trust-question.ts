import type { AskTrust, TrustAnswer, TrustQuestion } from "@pawl/core";
import type { Asker, Question } from "./asker.ts";
import { withUnseenShown } from "./shown-text.ts";

/** Asks the person at the terminal whether what a folder contains may be used. Whatever is no yes is a no. */
export function askTrustOnTerminal(asker: Asker): AskTrust {
  return async (question) => {
    const reply = await asker.ask(questionAbout(question));
    return reply.type === "chosen" ? reply.value : "no";
  };
}

function questionAbout({ folder, occasion, items }: TrustQuestion): Question<TrustAnswer> {
  const changed = "What it would run or grant has changed since you trusted it.";
  return {
    title: `Do you trust ${withUnseenShown(folder)}?`,
    body: items.map(({ place, key, effect, status }) => {
      const mark = occasion === "changed" && status !== "same" ? `${status}: ` : "";
      return `${mark}${withUnseenShown(`${place}: ${key}: ${effect}`)}`;
    }),
    reasons: [`${occasion === "changed" ? `${changed} ` : ""}Without your consent it is used without the above.`],
    choices: [
      { key: "y", label: "yes, and remember it until this changes", value: "yes" },
      { key: "o", label: "only this time", value: "once" },
      { key: "n", label: "no, go on without (Enter)", value: "no" },
    ],
    enter: "n",
  };
}
