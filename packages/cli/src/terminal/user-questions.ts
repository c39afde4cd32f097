import type { AskedQuestions, CanUseTool } from "@pawl/core";
import type { Asker, Choice, Question, Reply } from "./asker.ts";
import { shownLines, withUnseenShown } from "./shown-text.ts";

type Asked = AskedQuestions["questions"][number];
type Answer = { type: "labels"; labels: readonly string[] } | { type: "several" } | { type: "words" };

/** Puts the model's questions to the person at the terminal, one after the other. */
export function askUserOnTerminal(asker: Asker): CanUseTool {
  return async (_tool, input, { signal }) => {
    // The tool's schema has been checked before anybody is asked.
    const { questions } = input as AskedQuestions;
    const answers: [question: string, answer: string][] = [];
    for (const asked of questions) {
      const answer = await answerTo(asked, asker, signal);
      if (answer.type !== "chosen") {
        const isStopped = answer.type === "stopped";
        return { behavior: "deny", message: "", interrupt: isStopped, decisionClassification: "user_reject" };
      }
      answers.push([asked.question, answer.text]);
    }
    return { behavior: "allow", updatedInput: { ...input, answers: Object.fromEntries(answers) } };
  };
}

async function answerTo(asked: Asked, asker: Asker, signal: AbortSignal): Promise<Reply<undefined>> {
  for (let note = ""; ; ) {
    const reply = await asker.ask(questionFor(asked, note), signal);
    if (reply.type !== "chosen") return reply;
    const text = textOf(reply.value, reply.text, asked);
    if (text !== undefined) return { type: "chosen", value: undefined, text };
    note = `"${withUnseenShown(reply.text)}" does not name them: give numbers from 1 to ${asked.options.length}.`;
  }
}

/** Labels joined by commas, or the person's own words; undefined when a number names nothing. */
function textOf(answer: Answer, text: string, { options }: Asked): string | undefined {
  if (answer.type === "labels") return answer.labels.join(", ");
  if (answer.type === "words") return text;
  const numbers = text.split(/[\s,]+/).filter((number) => number !== "");
  const named = options.filter((_, at) => numbers.includes(String(at + 1)));
  const isEachOne = named.length > 0 && named.length === new Set(numbers).size;
  return isEachOne ? named.map(({ label }) => label).join(", ") : undefined;
}

function questionFor({ question, header, options, multiSelect }: Asked, note: string): Question<Answer> {
  return {
    title: `${withUnseenShown(header)}: ${withUnseenShown(question)}`,
    body: options.flatMap(({ label, description, preview }, at) => [
      `${at + 1}. ${withUnseenShown(label)}: ${withUnseenShown(description)}`,
      ...(preview === undefined ? [] : shownLines(preview).map((line) => `   ${line}`)),
    ]),
    reasons: note === "" ? [] : [note],
    choices: [
      ...options.map(({ label }, at) => choiceOf(label, at)),
      ...(multiSelect ? [SEVERAL] : []),
      { key: "o", label: "answer in other words", value: { type: "words" }, wantsText: "Your answer:" },
    ],
  };
}

const choiceOf = (label: string, at: number): Choice<Answer> => ({
  key: String(at + 1),
  label: withUnseenShown(label),
  value: { type: "labels", labels: [label] },
});

const SEVERAL: Choice<Answer> = {
  key: "s",
  label: "several",
  value: { type: "several" },
  wantsText: "Which? Their numbers, such as 1 3",
};
