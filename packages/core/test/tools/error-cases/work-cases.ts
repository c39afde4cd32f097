import { type Call, type ErrorTable, refused, wrongInput } from "./error-case.ts";

const todo = { content: "Run", status: "pending", activeForm: "Running" };
const task: Call = ["TaskCreate", { subject: "One", description: "d" }];
const another: Call = ["TaskCreate", { subject: "Two", description: "d" }];
const waits: Call = ["TaskUpdate", { taskId: "2", addBlockedBy: ["1"] }];
const job = { cron: "0 9 * * *", prompt: "look" };

export const workCases: ErrorTable = {
  TodoWrite: [
    {
      what: "another status",
      input: { todos: [{ ...todo, status: "done" }] },
      begins: `${wrongInput("TodoWrite")}The parameter \`todos[0].status\` must be one of`,
    },
    {
      what: "an item without its form",
      input: { todos: [{ content: "a", status: "pending" }] },
      begins: `${wrongInput("TodoWrite")}The required parameter \`todos[0].activeForm\` is missing`,
    },
    {
      what: "an item with more",
      input: { todos: [{ ...todo, id: "1" }] },
      begins: `${wrongInput("TodoWrite")}An unexpected parameter \`todos[0].id\` was provided`,
    },
  ],
  TaskCreate: [
    {
      what: "a blank subject",
      input: { subject: " ", description: "d" },
      begins: refused("The subject is blank: say what is to be done."),
    },
  ],
  TaskGet: [
    {
      what: "an unknown task",
      input: { taskId: "9" },
      begins: "Task not found: #9. TaskList gives those there are.",
      isError: false,
    },
  ],
  TaskUpdate: [
    {
      what: "an unknown task",
      input: { taskId: "9", status: "completed" },
      begins: "Task not found: #9. TaskList gives the tasks there are.",
    },
    {
      what: "another status",
      input: { taskId: "1", status: "done" },
      first: [task],
      begins: `${wrongInput("TaskUpdate")}The parameter \`status\` must be one of`,
    },
    {
      what: "waiting for an unknown task",
      input: { taskId: "1", addBlockedBy: ["9"] },
      first: [task],
      begins: "Task not found: #9.",
    },
    {
      what: "waiting for itself",
      input: { taskId: "1", addBlocks: ["1"] },
      first: [task],
      begins: "Task #1 cannot wait for itself.",
    },
    {
      what: "a ring",
      input: { taskId: "1", addBlockedBy: ["2"] },
      first: [task, another, waits],
      begins: "Task #1 cannot wait for #2, which waits for #1.",
    },
    { what: "a blank subject", input: { taskId: "1", subject: "" }, first: [task], begins: "The subject is blank." },
  ],
  TaskList: [
    { what: "no task", input: {}, begins: "No tasks found", isError: false },
    {
      what: "a shared list that is none",
      input: {},
      env: { PAWL_TASK_LIST_ID: "team" },
      setUp: async ({ home }) => void (await home.write("tasks/team.json", "mine\n")),
      begins: "{home}/tasks/team.json holds no task list: move it away, or name another list.",
    },
  ],
  ScheduleWakeup: [
    {
      what: "no wait",
      input: { delaySeconds: 0 },
      begins: `${wrongInput("ScheduleWakeup")}The parameter \`delaySeconds\` must be at least 1`,
    },
    {
      what: "a wait of two days",
      input: { delaySeconds: 172_800 },
      begins: `${wrongInput("ScheduleWakeup")}The parameter \`delaySeconds\` must be at most 86400`,
    },
    {
      what: "a blank prompt",
      input: { prompt: " " },
      begins: refused("The prompt is blank: leave it out, or say what you want to be told."),
    },
  ],
  CronCreate: [
    {
      what: "what is no time",
      input: { ...job, cron: "tomorrow" },
      begins: refused('"tomorrow" is no cron expression of five fields: '),
    },
    {
      what: "six fields",
      input: { ...job, cron: "* * * * * *" },
      begins: refused('"* * * * * *" is no cron expression of five fields: '),
    },
    {
      what: "a time that never comes",
      input: { ...job, cron: "0 0 30 2 *" },
      begins: refused('"0 0 30 2 *" means a time that never comes.'),
    },
    {
      what: "a blank prompt",
      input: { ...job, prompt: " " },
      begins: refused("The prompt is empty: say what is to be done then."),
    },
    {
      what: "one job too many",
      input: job,
      first: Array.from({ length: 50 }, () => ["CronCreate", job]),
      begins: refused("50 jobs are scheduled, the most there may be"),
    },
  ],
  CronDelete: [
    {
      what: "an unknown job",
      input: { id: "c9" },
      begins: refused("There is no job c9. CronList gives those there are."),
    },
  ],
  CronList: [{ what: "no job", input: {}, begins: "No jobs are scheduled", isError: false }],
};
