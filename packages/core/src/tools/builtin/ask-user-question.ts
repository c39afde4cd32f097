import type { InputOf } from "../define-tool.ts";
import { checkInput } from "../input-schema.ts";
import type { ParsedInput, Tool } from "../tool.ts";
import { errorResult } from "./error-result.ts";

const optionSchema = {
  type: "object",
  properties: {
    label: { type: "string", description: "The choice in one to five words." },
    description: { type: "string", description: "What choosing it means." },
    preview: { type: "string", description: "What to show beside it, such as a sketch or a piece of code." },
  },
  required: ["label", "description"],
  additionalProperties: false,
} as const;

const questionsSchema = {
  type: "array",
  minItems: 1,
  maxItems: 4,
  items: {
    type: "object",
    properties: {
      question: { type: "string", description: "The whole question, with its question mark." },
      header: { type: "string", maxLength: 12, description: "A label of at most 12 characters." },
      options: { type: "array", minItems: 2, maxItems: 4, items: optionSchema },
      multiSelect: { type: "boolean", description: "Whether several may be chosen." },
    },
    required: ["question", "header", "options", "multiSelect"],
    additionalProperties: false,
  },
} as const;

const inputSchema = {
  type: "object",
  properties: { questions: questionsSchema },
  required: ["questions"],
  additionalProperties: false,
} as const;

/** What the host gives back: the questions, an answer for each by its text, and words of the user's own; no more is looked at. */
const answeredSchema = {
  ...inputSchema,
  additionalProperties: true,
  properties: { questions: questionsSchema, answers: { type: "object" }, response: { type: "string" } },
} as const;

type Question = InputOf<typeof questionsSchema>[number];
export type AskedQuestions = InputOf<typeof answeredSchema>;

/** Questions that the user answers. The answers come with the permission to run: without a host it is never allowed. */
export const askUserQuestionTool: Tool<AskedQuestions> = {
  name: "AskUserQuestion",
  description: `Asks the user up to four questions, each with two to four choices. The user can always answer in other words.

- Use it when the work can go on in ways that differ in what the user gets, and nothing you can look up decides it.
- Put the choice you would take first and say so in its label with "(Recommended)".
- Not for "shall I go on?", and not to have a plan approved: that is ExitPlanMode.`,
  inputSchema,
  maxResultChars: 50_000,
  parse: (input) => parsed(inputSchema, input),
  parseAnswered: (input) => parsed(answeredSchema, input),
  isReadOnly: () => true,
  isConcurrencySafe: () => false,
  touches: () => [],
  async run({ questions, answers = {}, response }) {
    const given = questions.flatMap(({ question }) => answerTo(question, answers));
    const said = response?.trim() ?? "";
    if (given.length === 0 && said === "") return unanswered;
    return {
      content: [`User has answered your questions: ${given.map(pair).join(", ")}.`, ...words(said), GO_ON].join(" "),
      structured: { questions, answers: Object.fromEntries(given), ...(said === "" ? {} : { response: said }) },
    };
  },
};

const GO_ON = "You can now continue with the user's answers in mind.";

const unanswered = errorResult(
  "The questions were put, but no answer came back. Go on with what you hold best, and say what you assumed.",
);

const pair = ([question, answer]: readonly [string, string]) => `"${question}"="${answer}"`;

const words = (said: string): string[] => (said === "" ? [] : [`The user also said: ${said}`]);

/** A choice by its label, several joined by commas, or the user's own words. */
function answerTo(question: string, answers: Readonly<Record<string, unknown>>): [string, string][] {
  const answer = Object.hasOwn(answers, question) ? answers[question] : undefined;
  if (typeof answer === "string" && answer !== "") return [[question, answer]];
  if (!Array.isArray(answer)) return [];
  const labels = answer.filter((label) => typeof label === "string");
  return labels.length === 0 ? [] : [[question, labels.join(", ")]];
}

function parsed(schema: object, input: unknown): ParsedInput<AskedQuestions> {
  const issues = checkInput(schema, input);
  if (issues.length > 0) return { ok: false, issues };
  // The schema has just said that `input` has this type.
  const asked = input as AskedQuestions;
  const unfit = [...blanks(asked.questions), ...repetitions(asked.questions)];
  return unfit.length > 0 ? { ok: false, issues: unfit } : { ok: true, input: asked };
}

/** A person cannot answer what they cannot read. */
function blanks(questions: readonly Question[]): string[] {
  return questions.flatMap(({ question, options }, at) => [
    ...(question.trim() === "" ? [`The parameter \`questions[${at}].question\` is blank`] : []),
    ...options.flatMap(({ label }, option) =>
      label.trim() === "" ? [`The parameter \`questions[${at}].options[${option}].label\` is blank`] : [],
    ),
  ]);
}

/** Answers are told apart by these texts. */
function repetitions(questions: readonly Question[]): string[] {
  return [
    ...repeats(questions.map(({ question }) => question)).map((text) => `The question "${text}" is asked twice`),
    ...questions.flatMap(({ question, options }) =>
      repeats(options.map(({ label }) => label)).map(
        (label) => `The choice "${label}" of "${question}" is there twice`,
      ),
    ),
  ];
}

const repeats = (texts: readonly string[]) => texts.filter((text, at) => texts.indexOf(text) !== at);
