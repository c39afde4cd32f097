import type { ErrorTable } from "./error-case.ts";

const refused = (tool: string) => `<tool_use_error>InputValidationError: ${tool} failed due to the following issue:\n`;
const option = (label: string) => ({ label, description: "d" });
const question = { question: "Which?", header: "Which", multiSelect: false, options: [option("a"), option("b")] };

export const peopleCases: ErrorTable = {
  AskUserQuestion: [
    {
      what: "no question",
      input: { questions: [] },
      begins: `${refused("AskUserQuestion")}The parameter \`questions\` must have at least 1 item`,
    },
    {
      what: "one choice",
      input: { questions: [{ ...question, options: [option("a")] }] },
      begins: `${refused("AskUserQuestion")}The parameter \`questions[0].options\` must have at least 2 items`,
    },
    {
      what: "a question twice",
      input: { questions: [question, question] },
      begins: `${refused("AskUserQuestion")}The question "Which?" is asked twice`,
    },
    {
      what: "a blank question",
      input: { questions: [{ ...question, question: " " }] },
      begins: `${refused("AskUserQuestion")}The parameter \`questions[0].question\` is blank`,
    },
    { what: "no answer", input: { questions: [question] }, begins: "The questions were put, but no answer came back." },
  ],
  EnterPlanMode: [
    {
      what: "plan mode that is on already, once more",
      input: {},
      first: [["EnterPlanMode", {}]],
      begins: "Plan mode is on: ",
      isError: false,
    },
  ],
  ExitPlanMode: [
    { what: "no plan mode", input: {}, begins: "Plan mode is not on, so there is no plan to approve." },
    { what: "no plan", input: {}, first: [["EnterPlanMode", {}]], begins: "There is no plan yet: write it to " },
  ],
  EnterWorktree: [
    { what: "no repository", input: {}, begins: "There is no git repository to make a worktree of: " },
    {
      what: "a name and a path",
      input: { name: "a", path: "b" },
      begins: "Give a name for a new worktree, or the path of one, not both.",
    },
    {
      what: "a name that leads out",
      input: { name: "../a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: '"../a" is no name for a worktree: ',
    },
    {
      what: "a repository without a commit",
      input: { name: "a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: "The repository has no commit yet to make a worktree of: ",
    },
    {
      what: "a path that is no worktree",
      input: { path: "a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: "{root}/a is no worktree of the repository {root}. It has none.",
    },
  ],
  ExitWorktree: [
    {
      what: "no worktree",
      input: { action: "keep" },
      begins: "The session is in no worktree: there is nothing to go back from.",
    },
    {
      what: "another action",
      input: { action: "leave" },
      begins: `${refused("ExitWorktree")}The parameter \`action\` must be one of`,
    },
  ],
  PushNotification: [
    { what: "nothing to say", input: { message: " \n" }, begins: "The message has 0 characters; give 1 to 500." },
    {
      what: "too much to say",
      input: { message: "x".repeat(501) },
      begins: "The message has 501 characters; give 1 to 500.",
    },
  ],
};
