import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { Workspace } from "./support/pawl.ts";

const says = (text: string) => [{ answer: [{ text }] }];

test("piped, only the answer and a newline are printed", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays(says("The answer.\n\n"));

  expect(await workspace.run(["-p", "Ask.", ...model])).toEqual({ code: 0, stdout: "The answer.\n", stderr: "" });
});

test("the prompt is the argument, standard input, or the argument with the input below it", async () => {
  await using workspace = await Workspace.create();
  const expecting = async (lastUserText: string) =>
    workspace.plays([{ expect: { lastUserText }, answer: [{ text: "Yes." }] }]);

  const answers = [
    await workspace.run(["-p", "two", "words", ...(await expecting("two words"))]),
    await workspace.run(["-p", ...(await expecting("from the pipe"))], "from the pipe"),
    await workspace.run(["-p", "Explain:", ...(await expecting("Explain:\n\nline 1\nline 2"))], "line 1\nline 2\n"),
  ];

  expect(answers).toEqual(Array(3).fill({ code: 0, stdout: "Yes.\n", stderr: "" }));
});

test("an open input that nothing comes on does not hold up a prompt that was given", async () => {
  await using workspace = await Workspace.create();
  const child = workspace.start(["-p", "Ask.", ...(await workspace.plays(says("Answered.")))]);
  let stdout = "";
  child.stdout.on("data", (text: Buffer) => {
    stdout += text;
  });

  const code = await new Promise((resolve) => child.on("exit", resolve));

  expect([code, stdout]).toEqual([0, "Answered.\n"]);
});

test("what is not allowed is denied, told to the model, recorded, and told to the person", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    { answer: [{ tool: "Bash", input: { command: "touch made" } }] },
    { expect: { lastResult: { isError: true, contains: "haven't granted it yet" } }, answer: [{ text: "I may not." }] },
  ]);

  const { code, stdout, stderr } = await workspace.run(["-p", "Make it.", ...model]);

  expect([code, stdout]).toEqual([0, "I may not.\n"]);
  expect(stderr).toBe(
    'pawl: not allowed: Bash(touch made). No rule allows it and mode "default" does not either. ' +
      "Allow it with --allowedTools or --permission-mode.\n",
  );
  expect(await readdir(workspace.folder)).not.toContain("made");
});

test("of a call that was not allowed the note says which rule it was, and offers only what would help", async () => {
  await using workspace = await Workspace.create();
  const rules = { deny: ["Read(secret.txt)", "Bash(git push *)"], ask: ["Bash(npm publish *)"] };
  const settings = ["--settings", JSON.stringify({ permissions: rules })];
  const calls = [
    { tool: "Read", input: { file_path: "secret.txt" } },
    { tool: "Bash", input: { command: "git push origin" } },
    { tool: "Bash", input: { command: "npm publish --dry-run" } },
    { tool: "Write", input: { file_path: "a.txt", content: "x" } },
  ];
  const model = await workspace.plays([{ answer: calls }, { answer: [{ text: "Done." }] }]);

  const { stderr } = await workspace.run(["-p", "Do.", ...settings, "--permission-mode=plan", ...model]);

  expect(stderr.trimEnd().split("\n")).toEqual([
    'pawl: not allowed: Read(secret.txt). Rule "Read(secret.txt)" (flag settings) denies it.',
    'pawl: not allowed: Bash(git push origin). Rule "Bash(git push *)" (flag settings) denies it.',
    'pawl: not allowed: Bash(npm publish --dry-run). Rule "Bash(npm publish *)" (flag settings) asks about it. ' +
      "There is nobody to ask: run it in a terminal.",
    'pawl: not allowed: Write(a.txt). Mode "plan" changes nothing before the plan is approved. ' +
      "Allow it with another --permission-mode.",
  ]);
});

test("--allowedTools, --disallowedTools and --permission-mode decide what runs", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([
    { answer: [{ tool: "Bash", input: { command: "touch allowed" } }] },
    { answer: [{ tool: "Bash", input: { command: "touch denied" } }] },
    { answer: [{ tool: "Write", input: { file_path: "edited.txt", content: "x" } }] },
    { answer: [{ text: "Done." }] },
  ]);
  const rules = ["--allowedTools", "Bash(touch *)", "--disallowed-tools=Bash(touch denied)"];

  const { code } = await workspace.run(["-p", "Do.", ...rules, "--permission-mode=acceptEdits", ...model]);

  expect(code).toBe(0);
  const files = await readdir(workspace.folder);
  expect(files.filter((name) => ["allowed", "denied", "edited.txt"].includes(name))).toEqual(["allowed", "edited.txt"]);
});

test("a turn that reaches its limit ends with exit 1, the reason on stderr and nothing on stdout", async () => {
  await using workspace = await Workspace.create();
  const round = { answer: [{ tool: "Glob", input: { pattern: "*" } }] };
  const model = await workspace.plays([round, round, { answer: [{ text: "Never." }] }]);

  expect(await workspace.run(["-p", "Go.", "--max-turns", "2", ...model])).toEqual({
    code: 1,
    stdout: "",
    stderr: "pawl: Reached maximum number of turns (2)\n",
  });
});

test("a failing model ends with exit 1 and its words on stderr", async () => {
  await using workspace = await Workspace.create();
  const fault = { type: "status", status: 400, message: "no such thing" };
  const model = await workspace.plays([{ answer: [{ text: "Never." }], fault }]);

  const { code, stdout, stderr } = await workspace.run(["-p", "Go.", ...model]);

  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^pawl: API Error \(400\): no such thing/);
});

test("a long answer reaches a slow reader whole", async () => {
  await using workspace = await Workspace.create();
  const text = "0123456789".repeat(100_000);
  const child = workspace.start(["-p", "Go.", ...(await workspace.plays(says(text)))]);
  child.stdin.end();
  let length = 0;
  await new Promise((resolve) => setTimeout(resolve, 1_500)); // far more than a pipe holds is waiting by now
  for await (const chunk of child.stdout) {
    length += chunk.length;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }

  expect(length).toBe(text.length + 1);
});

test("a reader that leaves is no error", async () => {
  await using workspace = await Workspace.create();
  const child = workspace.start(["-p", "Go.", ...(await workspace.plays(says("x".repeat(1_000_000))))]);
  child.stdin.end();
  child.stdout.destroy();
  let stderr = "";
  child.stderr.on("data", (text: Buffer) => {
    stderr += text;
  });

  const code = await new Promise((resolve) => child.on("exit", resolve));

  expect([code, stderr]).toEqual([0, ""]);
});

test("a session can be gone on with, and a new one takes the id that it is given", async () => {
  await using workspace = await Workspace.create();
  const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
  const model = await workspace.plays([{ answer: [{ text: "First." }] }, { answer: [{ text: "Second." }] }]);

  const first = await workspace.run(["-p", "One.", "--session-id", id, ...model]);
  const second = await workspace.run(["-p", "Two.", `--resume=${id}`, ...model]);
  const unknown = await workspace.run(["-p", "Three.", "--resume=00000000-0000-4000-8000-000000000000", ...model]);

  expect([first.stdout, second.stdout]).toEqual(["First.\n", "Second.\n"]);
  expect(unknown.code).toBe(1);
  expect(unknown.stderr).toContain("No conversation found with session ID: 00000000-0000-4000-8000-000000000000");
});

test("without persistence no transcript is written", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays(says("Hi."));
  const transcripts = async () =>
    (await readdir(workspace.folder, { recursive: true })).filter((path) => path.endsWith(".jsonl"));

  await workspace.run(["-p", "Hello.", "--no-session-persistence", ...model]);
  expect(await transcripts()).toEqual([]);

  await workspace.run(["-p", "Hello.", ...model]);
  const [transcript, ...others] = await transcripts();
  expect(others).toEqual([]);
  expect(await readFile(workspace.path(transcript ?? ""), "utf8")).toContain("Hello.");
});

test("what the engine warns of stands on stderr, a line for each, in text and with json", async () => {
  await using workspace = await Workspace.create();
  await mkdir(workspace.path(".config"));
  await writeFile(workspace.path(".config/settings.json"), '{"permissions": {"deny": ["Bash"]');
  const args = ["-p", "Ask.", ...(await workspace.plays(says("Yes.")))];

  const text = await workspace.run(args);
  const json = await workspace.run([...args, "--output-format", "json"]);

  expect([text.code, text.stdout, json.code]).toEqual([0, "Yes.\n", 0]);
  expect(JSON.parse(json.stdout)).toMatchObject({ result: "Yes." });
  expect(text.stderr).toMatch(/^pawl: .*settings\.json:1:\d+: not valid JSON: .*\n$/);
  expect(json.stderr).toBe(text.stderr);
});

test("an answer that cannot be written ends with exit 1 and says so, in text and with json", async () => {
  await using workspace = await Workspace.create();
  const [flag, model] = await workspace.plays(says("Lost."));
  const readOnly = "1< scenario.json"; // a descriptor that cannot be written to

  for (const format of ["text", "json"]) {
    const { code, stderr } = await workspace.shell(
      `pawl -p Go. --output-format ${format} ${flag} ${model} ${readOnly}`,
    );
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^pawl: cannot write the output: EBADF.*\n$/)]);
  }
});

test("a scenario that is not played to its end fails the run, unless it is not strict", async () => {
  await using workspace = await Workspace.create();
  const steps = [...says("Done."), { answer: [{ tool: "Bash", input: { command: "ls" } }] }, ...says("Never.")];
  const lenient = JSON.stringify({ version: 1, strict: false, steps });
  await writeFile(workspace.path("lenient.json"), lenient);

  expect(await workspace.run(["-p", "Go.", ...(await workspace.plays(steps))])).toEqual({
    code: 1,
    stdout: "Done.\n",
    stderr: 'pawl: the scenario has 2 steps that were not played: steps[1] (Bash), steps[2] ("Never.")\n',
  });
  expect(await workspace.run(["-p", "Go.", "--model", "scripted:lenient.json"])).toEqual({
    ...{ code: 0, stdout: "Done.\n", stderr: "" },
  });
});

test("with --json-schema the answer is the JSON that was asked for", async () => {
  await using workspace = await Workspace.create();
  const schema = JSON.stringify({ type: "object", properties: { sum: { type: "integer" } }, required: ["sum"] });
  const model = await workspace.plays([
    { answer: [{ text: "It is four." }, { tool: "StructuredOutput", input: { sum: 4 } }] },
  ]);

  expect(await workspace.run(["-p", "2 + 2?", "--json-schema", schema, "--task-budget", "100000", ...model])).toEqual({
    ...{ code: 0, stdout: '{"sum":4}\n', stderr: "" },
  });
});

test("the scenario of docs/scenarios.md plays as the page says", async () => {
  await using workspace = await Workspace.create();
  const page = await readFile(new URL("../../../docs/scenarios.md", import.meta.url), "utf8");
  const block = (kind: string) => page.split(`\`\`\`${kind}\n`)[1]?.split("```")[0] ?? "";
  await writeFile(workspace.path("words.yaml"), block("yaml"));

  const { code, stdout, stderr } = await workspace.shell(block("sh"), { PAWL_RETRY_BASE_MS: "1" });

  expect([code, stdout]).toEqual([0, "There are 3 words.\n"]);
  expect(stderr).toMatch(/^pawl: Overloaded .*\(1 of 9\)\n$/);
});
