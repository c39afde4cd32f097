import { mkdir, writeFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Workspace } from "./support/pawl.ts";

const BATCH = ["permissions", "check", "--batch"];

type Answer = { decision: string; rule?: string; source?: string; reason: string; error?: string };

const answersOf = (stdout: string): Answer[] => {
  expect(stdout.endsWith("\n")).toBe(true);
  return stdout
    .slice(0, -1)
    .split("\n")
    .map((line): Answer => JSON.parse(line));
};

const request = (command: string, rules: object = {}) =>
  JSON.stringify({ tool: "Bash", input: { command }, rules, mode: "default", cwd: "/work", home: "/home/me" });

test("check answers every line in order, whatever it holds and however it ends", async () => {
  await using workspace = await Workspace.create();
  const rules = { allow: ["Bash(npm test)"], deny: ["Bash(git clean *)"] };
  const lines: (string | Uint8Array)[] = [
    request("npm test", rules),
    "no json",
    "",
    request("git fetch && git clean -fd", rules),
    Buffer.from([0x22, 0xff, 0x22]),
    request("ls"),
    `{"deep":${"[".repeat(200_000)}${"]".repeat(200_000)}}`,
    `${request("npm test", rules)}\r`,
    `"${"x".repeat(9 * 1024 * 1024)}"`,
    '{"__proto__":{"tool":"Bash"}}',
    request("curl x"),
  ];
  const input = Buffer.concat(lines.flatMap((line, at) => [Buffer.from(at === 0 ? "" : "\n"), Buffer.from(line)]));

  const { code, stdout, stderr } = await workspace.run(BATCH, input);

  expect(
    answersOf(stdout).map(({ decision, error }) => (error === undefined ? decision : `${decision} ${error}`)),
  ).toEqual([
    "allow",
    "deny invalid_json",
    "deny invalid_json",
    "deny",
    "deny invalid_json",
    "allow",
    "deny invalid_request",
    "allow",
    "deny too_long",
    "deny invalid_request",
    "ask",
  ]);
  expect(answersOf(stdout)[3]).toEqual({
    decision: "deny",
    rule: "Bash(git clean *)",
    source: "project",
    reason: 'Rule "Bash(git clean *)" (project settings) denies it.',
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("any bytes at all are answered line by line", async () => {
  await using workspace = await Workspace.create();
  const line = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "")),
    fc.string().map((command) => request(command)),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => bytes.filter((byte) => byte !== 0x0a)),
  );
  const lines = fc.sample(line, { numRuns: 2_000, seed: 7 });
  const { code, stdout } = await workspace.run(
    BATCH,
    Buffer.concat(lines.flatMap((each) => [Buffer.from(each), Buffer.from("\n")])),
  );
  const answers = answersOf(stdout);
  expect(answers.length).toBe(lines.length);
  expect(answers.every(({ decision }) => ["allow", "ask", "deny"].includes(decision))).toBe(true);
  expect(answers.filter(({ error }) => error === "internal")).toEqual([]);
  expect(code).toBe(0);
});

test("a reader that takes one line and leaves is no error, and a slow one loses nothing", async () => {
  await using workspace = await Workspace.create();
  await writeFile(workspace.path("lines"), `${request("ls")}\n`.repeat(3_000));
  const first = await workspace.shell("{ pawl permissions check --batch; echo $? >&2; } < lines | head -n 1");
  expect(answersOf(first.stdout)).toHaveLength(1);
  expect(first.stderr).toBe("0\n");
  const slow = await workspace.shell("pawl permissions check --batch < lines | { sleep 1; wc -l; }");
  expect(slow.stdout.trim()).toBe("3000");
});

test("each answer comes when its line has, not when the input ends", async () => {
  await using workspace = await Workspace.create();
  const child = workspace.start(BATCH);
  const replies = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  for (const command of ["ls", "curl x"]) {
    child.stdin.write(`${request(command)}\n`);
    const { value } = await replies.next();
    expect(JSON.parse(String(value)).decision).toBe(command === "ls" ? "allow" : "ask");
  }
  child.stdin.end();
  await new Promise((resolve) => child.on("close", resolve));
});

test("explain names the rule, the file it stands in, the mode, and what was thought of each command", async () => {
  await using workspace = await Workspace.create();
  await mkdir(workspace.path(".config"));
  const settings = workspace.path(".config/settings.json");
  await writeFile(
    settings,
    JSON.stringify({ permissions: { deny: ["Bash(git clean *)"], allow: ["Bash(npm test)"] } }),
  );
  const line = "npm test && timeout 5 git clean -fd > log.txt";

  const told = await workspace.run(["permissions", "explain", "--json", "Bash", line]);

  const explanation = JSON.parse(told.stdout);
  expect(explanation).toMatchObject({
    decision: "deny",
    decidedBy: "rule",
    rule: { rule: "Bash(git clean *)", source: "userSettings", place: settings, line: 1 },
    mode: "default",
  });
  expect(explanation.commands).toEqual([
    expect.objectContaining({
      text: "npm test",
      judged: "allow",
      rule: { rule: "Bash(npm test)", source: "userSettings", place: settings, line: 1 },
    }),
    expect.objectContaining({ text: "timeout 5 git clean -fd", redirections: [{ type: "writes", target: "log.txt" }] }),
    expect.objectContaining({ text: "git clean -fd", startedBy: "timeout 5 git clean -fd", judged: "deny" }),
  ]);
  expect(told.code).toBe(0);

  const text = await workspace.run(["permissions", "explain", "Bash", line]);
  expect(text.stdout).toContain(`rule: Bash(git clean *) (user settings, ${settings}:1)`);
  expect(text.stdout.startsWith("deny: Bash\n")).toBe(true);
});

test("explain takes the flags of a session, a path alone, and JSON", async () => {
  await using workspace = await Workspace.create();
  const decided = async (...args: string[]) => {
    const { stdout } = await workspace.run(["permissions", "explain", "--json", ...args]);
    return JSON.parse(stdout).decision;
  };
  expect(await decided("Write", "a.ts")).toBe("ask");
  expect(await decided("--permission-mode", "acceptEdits", "Write", "a.ts")).toBe("allow");
  expect(await decided("--disallowedTools", "Edit(a.ts)", "Write", '{"file_path": "a.ts", "content": ""}')).toBe(
    "deny",
  );
  expect(await decided("--allowedTools", "Bash(curl *)", "Bash", "curl x")).toBe("allow");
  expect(await decided("--add-dir", "/", "Read", "/etc/passwd")).toBe("allow");
  expect(await decided("Bash", "{ ls; }")).toBe("allow");
});

test("explain shows what a terminal would hide", async () => {
  await using workspace = await Workspace.create();
  const { stdout } = await workspace.run(["permissions", "explain", "Read", "a\u202e\u001b[2Jb"]);
  expect(stdout).toContain("a\\u{202E}\\u{1B}[2Jb");
});

test("test runs a file of rule tests: 0 when all are as expected, 1 with what decided each other one, 2 for a broken file", async () => {
  await using workspace = await Workspace.create();
  await writeFile(
    workspace.path("rules.yaml"),
    [
      "rules: { allow: ['Bash(npm test)'], deny: ['Read(.env)'] }",
      "tests:",
      "  - { tool: Bash, input: npm test, expect: allow }",
      "  - { name: secrets stay secret, tool: Read, input: { file_path: sub/.env }, expect: deny }",
      "  - { tool: Write, input: { file_path: a }, expect: allow, mode: acceptEdits }",
    ].join("\n"),
  );
  const good = await workspace.run(["permissions", "test", "rules.yaml"]);
  expect(good).toEqual({ code: 0, stdout: "3 passed, 0 failed\n", stderr: "" });

  await writeFile(
    workspace.path("rules.json"),
    JSON.stringify([{ name: "pushes are denied", tool: "Bash", input: "git push", expect: "deny" }]),
  );
  const bad = await workspace.run(["permissions", "test", "rules.json"]);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain("FAIL pushes are denied: expected deny, got\nask: Bash\n");
  expect(bad.stdout).toContain("0 passed, 1 failed\n");
  const json = await workspace.run(["permissions", "test", "--json", "rules.json"]);
  expect(JSON.parse(json.stdout)).toMatchObject({
    passed: 0,
    failed: 1,
    results: [{ explanation: { decision: "ask" } }],
  });

  for (const [text, message] of [
    ["tests: []", '"tests" must be a list with at least one test'],
    ["- { tool: Bash, input: ls, expect: maybe }", "tests[0].expect must be one of allow, ask, deny"],
    ["- { tool: Bash, input: ls, expect: allow, modes: plan }", 'tests[0] has "modes"'],
    ["tests: [", "is neither JSON nor YAML"],
  ] as const) {
    await writeFile(workspace.path("broken.yaml"), text);
    const broken = await workspace.run(["permissions", "test", "broken.yaml"]);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain(message);
  }
});

test.each([
  [["permissions", "check"], "usage: pawl permissions check --batch"],
  [["permissions", "explain", "Bash"], "it takes 2 words, not 1"],
  [["permissions", "explain", "bash", "ls"], "do you mean Bash?"],
  [["permissions", "explain", "TodoWrite", "x"], "must be a JSON object"],
  [["permissions", "explain", "Read", "{}"], '"file_path" is missing'],
  [["permissions", "explain", "--no-such", "Read", "a"], "unknown option"],
  [["permissions", "test", "nowhere.json"], "there is no file nowhere.json"],
  [["permissions", "what"], "give one of explain, check, test"],
])("%j is bad usage, and says what is right", async (args, message) => {
  await using workspace = await Workspace.create();
  const { code, stderr } = await workspace.run(args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
});
