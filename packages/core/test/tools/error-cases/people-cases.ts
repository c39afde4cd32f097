import { type ErrorTable, refused, wrongInput } from "./error-case.ts";

const option = (label: string) => ({ label, description: "d" });
const question = { question: "Which?", header: "Which", multiSelect: false, options: [option("a"), option("b")] };

export const peopleCases: ErrorTable = {
  AskUserQuestion: [
    {
      what: "no question",
      input: { questions: [] },
      begins: `${wrongInput("AskUserQuestion")}The parameter \`questions\` must have at least 1 item`,
    },
    {
      what: "one choice",
      input: { questions: [{ ...question, options: [option("a")] }] },
      begins: `${wrongInput("AskUserQuestion")}The parameter \`questions[0].options\` must have at least 2 items`,
    },
    {
      what: "a question twice",
      input: { questions: [question, question] },
      begins: `${wrongInput("AskUserQuestion")}The question "Which?" is asked twice`,
    },
    {
      what: "a header that is too long",
      input: { questions: [{ ...question, header: "Which of them" }] },
      begins: wrongInput(
        "AskUserQuestion",
        "The parameter `questions[0].header` must have at most 12 characters but has 13",
      ),
    },
    {
      what: "a blank question",
      input: { questions: [{ ...question, question: " " }] },
      begins: `${wrongInput("AskUserQuestion")}The parameter \`questions[0].question\` is blank`,
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
    { what: "no plan mode", input: {}, begins: refused("Plan mode is not on, so there is no plan to approve.") },
    {
      what: "no plan",
      input: {},
      first: [["EnterPlanMode", {}]],
      begins: refused("There is no plan yet: write it to "),
    },
  ],
  EnterWorktree: [
    { what: "no repository", input: {}, begins: refused("There is no git repository to make a worktree of: ") },
    {
      what: "a name and a path",
      input: { name: "a", path: "b" },
      begins: refused("Give a name for a new worktree, or the path of one, not both."),
    },
    {
      what: "a name that leads out",
      input: { name: "../a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: refused('"../a" is no name for a worktree: '),
    },
    {
      what: "a repository without a commit",
      input: { name: "a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: refused("The repository has no commit yet to make a worktree of: "),
    },
    {
      what: "a path that is no worktree",
      input: { path: "a" },
      first: [["Bash", { command: "git init -q" }]],
      begins: refused("{root}/a is no worktree of the repository {root}. It has none."),
    },
  ],
  ExitWorktree: [
    {
      what: "no worktree",
      input: { action: "keep" },
      begins: refused("The session is in no worktree: there is nothing to go back from."),
    },
    {
      what: "another action",
      input: { action: "leave" },
      begins: `${wrongInput("ExitWorktree")}The parameter \`action\` must be one of`,
    },
  ],
  PushNotification: [
    {
      what: "nothing to say",
      input: { message: " \n" },
      begins: refused("The message has 0 characters; give 1 to 500."),
    },
    {
      what: "too much to say",
      input: { message: "x".repeat(501) },
      begins: refused("The message has 501 characters; give 1 to 500."),
    },
  ],
};
