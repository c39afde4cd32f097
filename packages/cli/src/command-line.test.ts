import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { parseCommandLine } from "./command-line.ts";
import { emptyInvocation, engineOptions, type Invocation } from "./invocation.ts";
import { UsageError } from "./usage-error.ts";

const parse = (...args: string[]): Invocation => {
  const invocation = parseCommandLine(args, "1.2.3");
  if (invocation === undefined) throw new Error("nothing was asked for");
  return invocation;
};

test("every flag takes its value after a space or an equals sign, before or after the prompt", () => {
  const expected = {
    ...emptyInvocation(),
    prompt: "Do it",
    print: true,
    model: "sonnet",
    options: {
      maxTurns: 3,
      permissionMode: "plan",
      systemPrompt: "",
      sessionId: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
    },
  };

  expect(
    parse(
      ...["-p", "Do it", "--model", "sonnet", "--max-turns", "3", "--permission-mode", "plan", "--system-prompt", ""],
      ...["--session-id", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"],
    ),
  ).toEqual(expected);
  expect(
    parse(
      ...["--model=sonnet", "--max-turns=3", "--permission-mode=plan", "--system-prompt="],
      ...["--session-id=3f2504e0-4f89-41d3-9a0c-0305e82c3301", "--print", "Do", "it"],
    ),
  ).toEqual(expected);
});

test("rules are split at commas and spaces outside brackets, in both spellings, over repetitions", () => {
  const { allowedTools, disallowedTools } = parse(
    ...["--allowedTools", "Read, Bash(git log:*) Bash(a, b),Edit", "--allowed-tools=Grep"],
    ...[
      "--disallowedTools",
      "WebFetch",
      "--disallowed-tools",
      "Bash(rm (x))",
      "--disallowedTools",
      "Bash(echo \\)),Edit",
    ],
  );

  expect(allowedTools).toEqual(["Read", "Bash(git log:*)", "Bash(a, b)", "Edit", "Grep"]);
  expect(disallowedTools).toEqual(["WebFetch", "Bash(rm (x))", "Bash(echo \\))", "Edit"]);
});

test("--tools lists the tools, none when it is empty, all with default", () => {
  expect(parse("--tools", "Read,Grep").options.tools).toEqual(["Read", "Grep"]);
  expect(parse("--tools", "").options.tools).toEqual([]);
  expect(parse("--tools", "default").options.tools).toBeUndefined();
});

test("words stand together in one place, whatever flags stand before and after them", () => {
  const flags = ["-r", "abc", "--allowedTools=Read", "--model", "opus"];
  expect(parse(...flags, "Do", "it", "-p").prompt).toBe("Do it");
  expect(parse("-p", "Do", "-", "it", ...flags, "--unattended").prompt).toBe("Do - it");
  expect(parse(...flags, "--", "-p", "--demo").prompt).toBe("-p --demo");
  expect(() => parse("Do", "--verbose", "it")).toThrow(UsageError);
  expect(() => parse("Do", "--", "it")).toThrow(UsageError);
});

test("budgets and a schema go to the engine", () => {
  const args = ["--max-budget-usd", "0.50", "--task-budget=1000", "--json-schema", '{"type":"object"}'];
  expect(parse(...args).options).toEqual({ maxBudgetUsd: 0.5, taskBudget: 1_000, outputSchema: { type: "object" } });
  expect(parse("--max-budget-usd=1e-3").options.maxBudgetUsd).toBe(0.001);
});

test("--unattended takes its minutes by an equals sign only, so that a prompt may follow it", () => {
  expect(parse("-p", "--unattended", "Do it")).toMatchObject({
    prompt: "Do it",
    options: { unattendedMs: 28_800_000 },
  });
  expect(parse("-p", "--unattended=90", "Do it").options.unattendedMs).toBe(5_400_000);
  expect(parse("-p", "--", "--unattended").prompt).toBe("--unattended");
  expect(() => parse("--unattended=soon")).toThrow('--unattended "soon": give a whole number, 1 to 28800');
});

test("--fallback-model names models in order", () => {
  expect(parse("--fallback-model", "sonnet, haiku").options.fallbackModels).toEqual(["sonnet", "haiku"]);
  expect(() => parse("--fallback-model=sonnet,")).toThrow(UsageError);
});

test("directories may be added one by one", () => {
  expect(parse("--add-dir", "/", "--add-dir", tmpdir()).additionalDirectories).toEqual(["/", tmpdir()]);
});

test("what is asked for becomes the engine's options", () => {
  const invocation = parse(
    "--model=opus",
    "--allowedTools=Read",
    "--resume=abc",
    "--fork-session",
    "--no-session-persistence",
  );

  expect(engineOptions(invocation, {})).toEqual({
    model: "opus",
    allowedTools: ["Read"],
    disallowedTools: [],
    additionalDirectories: [],
    resume: "abc",
    forkSession: true,
    persistSession: false,
    entrypoint: "cli",
  });
  expect(engineOptions(invocation, { CLAUDE_CODE_ENTRYPOINT: "sdk-py" }).entrypoint).toBe("sdk-py");
  expect(engineOptions(invocation, { PAWL_ENTRYPOINT: "ours", CLAUDE_CODE_ENTRYPOINT: "theirs" }).entrypoint).toBe(
    "ours",
  );
});

const needsId = "give the id of a session; --continue goes on with this directory's newest";

const refusals: readonly (readonly [name: string, args: readonly string[], message: string])[] = [
  ["no rounds at all", ["--max-turns", "0"], '--max-turns "0": give a whole number, 1 or more'],
  ["negative rounds", ["--max-turns", "-1"], '--max-turns "-1": give a whole number, 1 or more'],
  ["rounds in words", ["--max-turns=ten"], '--max-turns "ten": give a whole number, 1 or more'],
  ["a directory that is not there", ["--add-dir", "gone"], '--add-dir "gone": there is no such directory'],
  [
    "an unknown mode",
    ["--permission-mode", "yolo"],
    '--permission-mode "yolo": give one of default, acceptEdits, plan, dontAsk, auto, bypassPermissions',
  ],
  ["an unknown format", ["--output-format=xml"], '--output-format "xml": give one of text, json, stream-json'],
  ["an id that is no UUID", ["--session-id", "7"], '--session-id "7": give a UUID, such as one of `uuidgen`'],
  ["an empty model", ["--model", ""], '--model "": give a value'],
  [
    "a rule with an open bracket",
    ["--allowedTools", "Bash(ls"],
    '--allowedTools "Bash(ls": the brackets do not match; write Tool or Tool(rule)',
  ],
  ["a misspelt flag", ["--modle", "x"], "unknown option '--modle'\n(Did you mean --model?)"],
  ["a flag without its value", ["--model"], "option '--model <model>' argument missing"],
  ["a resume without an id", ["--resume"], `option '-r, --resume <id>' argument missing: ${needsId}`],
  ["a resume before the next flag", ["--resume", "--model", "sonnet"], `--resume "--model": ${needsId}`],
  ["a short resume before the next flag", ["-r", "-c"], `--resume "-c": ${needsId}`],
  ["a resume with an empty id", ["--resume="], '--resume "": give a value'],
  [
    "no money",
    ["--max-budget-usd", "0"],
    '--max-budget-usd "0": give an amount in dollars of more than 0, such as 0.50',
  ],
  [
    "money in words",
    ["--max-budget-usd=much"],
    '--max-budget-usd "much": give an amount in dollars of more than 0, such as 0.50',
  ],
  ["a budget of no tokens", ["--task-budget", "0"], '--task-budget "0": give a whole number, 1 or more'],
  [
    "a schema that is no object",
    ["--json-schema", "3"],
    `--json-schema is not a valid JSON Schema: it is not an object; give it inline, as in '{"type": "object"}'`,
  ],
  [
    "a tool that stands apart from its flag",
    ["--allowedTools", "Read", "Bash"],
    '"Hello" and "Bash" cannot both be the prompt: put the prompt into quotes, and several values of a flag too, as in --allowedTools "Read, Bash"',
  ],
  [
    "a demonstration with a task",
    ["--demo", "--max-turns", "3"],
    "--demo has its own task and permissions: leave out --print, --max-turns, the prompt (--model may stay)",
  ],
  ["a fork of nothing", ["--fork-session"], "--fork-session needs --resume=ID or --continue"],
  [
    "stream input with another output",
    ["--input-format", "stream-json"],
    "--input-format stream-json needs --output-format stream-json",
  ],
  [
    "pieces without a stream",
    ["--include-partial-messages"],
    "--include-partial-messages needs --output-format stream-json",
  ],
];

test.each(refusals)("%s: refused with the flag, the value and the fix", (_name, args, message) => {
  expect(() => parse("-p", "Hello", ...args)).toThrow(new UsageError(message));
});

test.each([
  ["90s", 90_000],
  ["1.5h", 5_400_000],
  ["1h30m", 5_400_000],
  ["250ms", 250],
])("--max-duration %s is a time", (text, ms) => {
  expect(parse("-p", "Go", "--max-duration", text, "--max-tool-calls=7").options).toMatchObject({
    maxDurationMs: ms,
    maxToolCalls: 7,
  });
});

test.each(["90", "0s", "-1s", "soon", "1d", "25h1", "600h", ""])(
  "--max-duration %j is refused with the fix",
  (text) => {
    expect(() => parse("-p", "Go", `--max-duration=${text}`)).toThrow(
      /give a time with its unit, such as 90s, 15m or 2h/,
    );
  },
);

test.each([
  [["doctr"], "doctr", "pawl doctor", "doctr"],
  [["--model", "opus", "Docotr"], "Docotr", "pawl doctor", "Docotr"],
  [["trusts"], "trusts", "pawl trust", "trusts"],
  [["confg", "list"], "confg", "pawl config list", "confg list"],
  [
    ["permission", "explain", "Bash", "ls"],
    "permission",
    "pawl permissions explain Bash ls",
    "permission explain Bash ls",
  ],
])("%j is likely a command mistyped, and refused with what to write", (args, word, command, prompt) => {
  expect(() => parse(...args)).toThrow(
    new UsageError(
      `there is no command "${word}"; do you mean ${command}? To send it as a prompt, write pawl -p "${prompt}"`,
    ),
  );
});

test.each([
  [["-p", "doctr"], "doctr"],
  [["doctr", "--print"], "doctr"],
  [["--", "doctr"], "doctr"],
  [["doctr my app"], "doctr my app"],
  [["confirm", "the", "tests"], "confirm the tests"],
  [["test"], "test"],
  [["rust"], "rust"],
  [["commit"], "commit"],
  [[], ""],
])("%j is a prompt", (args, prompt) => {
  expect(parse(...args).prompt).toBe(prompt);
});
