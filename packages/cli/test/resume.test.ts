import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { answers, type Body, cacheMarks, canonical, messagesApi, says, uses } from "./support/messages-api.ts";
import { resultsOf, Workspace } from "./support/pawl.ts";

const id = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const otherId = "7f2504e0-4f89-41d3-9a0c-0305e82c3301";
const unknownId = "00000000-0000-4000-8000-000000000000";
const ask = (...args: readonly string[]) => ["-p", "Go on.", "--output-format", "json", ...args];

const needsFork = "--session-id can only be used with --continue or --resume if --fork-session is also specified.";

/** Every request that came continues the one before it. */
function expectContinued(bodies: readonly Body[]): void {
  for (const [index, body] of bodies.entries()) {
    const before = bodies[index - 1];
    if (before === undefined) continue;
    expect(canonical(body).slice(0, canonical(before).length), `request ${index}`).toEqual(canonical(before));
    expect(canonical(body).length, `request ${index}`).toBeGreaterThan(canonical(before).length);
  }
  for (const body of bodies) expect(cacheMarks(body)).toBeLessThanOrEqual(4);
}

async function transcripts(workspace: Workspace): Promise<string[]> {
  const files = await readdir(workspace.path(".config/projects"), { recursive: true });
  return files.filter((file) => file.endsWith(".jsonl")).sort();
}

const goingOn: readonly (readonly [flags: readonly string[], sessionId: string | undefined])[] = [
  [["--continue"], id],
  [["--resume", id], id],
  [["-c", "--fork-session", "--session-id", otherId], otherId],
  [[`--resume=${id}`, "--fork-session"], undefined],
];

test.each(goingOn)("%j goes on where the session was: the wire shows one growing prompt", async (flags, sessionId) => {
  await using workspace = await Workspace.create();
  await writeFile(workspace.path("a.txt"), "alpha\n");
  await writeFile(workspace.path("CLAUDE.md"), "Be brief.");
  const file_path = workspace.path("a.txt");
  const first = answers(
    [{ thinking: "Hm." }, { text: "Looking." }, { id: "toolu_0", tool: "Read", input: { file_path } }],
    { id: "msg_0" },
  );
  await using api = await messagesApi(
    first,
    uses("1", "Bash", { command: "ls; false" }),
    says("It is alpha.", { id: "msg_2" }),
    uses("3", "Edit", { file_path, old_string: "alpha", new_string: "beta" }),
    says("It is beta.", { id: "msg_4" }),
  );
  const run = (...args: readonly string[]) =>
    workspace.run(
      ["-p", "Go on.", "--output-format", "json", ...args, "--permission-mode", "bypassPermissions"],
      "",
      api.env,
    );

  const before = await run("--session-id", id);
  const after = await run(...flags);

  const results = [...resultsOf(before.stdout), ...resultsOf(after.stdout)];
  expect(results.map(({ result, is_error }) => [result, is_error])).toEqual([
    ["It is alpha.", false],
    ["It is beta.", false],
  ]);
  expect(results[0]?.session_id).toBe(id);
  expect(results[1]?.session_id).toEqual(sessionId ?? expect.not.stringContaining(id));
  expect(await transcripts(workspace)).toHaveLength(sessionId === id ? 1 : 2);
  expect(await readFile(file_path, "utf8")).toBe("beta\n"); // what was read before the end still counts as read
  expect(api.bodies).toHaveLength(5);
  expectContinued(api.bodies);
});

test("over 50 rounds and a resume every prompt on the wire continues the one before it", async () => {
  await using workspace = await Workspace.create();
  const rounds = Array.from({ length: 50 }, (_, n) => uses(`${n}`, "Bash", { command: `echo ${n}` }));
  await using api = await messagesApi(...rounds, says("Done.", { id: "a" }), says("Again.", { id: "b" }));
  const args = ask("--allowedTools", "Bash");

  const first = await workspace.run(args, "", api.env);
  const second = await workspace.run([...args, "--continue"], "", api.env);

  // Node warns there when something piles up, such as listeners.
  expect([first.code, first.stderr, second.code, second.stderr]).toEqual([0, "", 0, ""]);
  expect(api.bodies).toHaveLength(52);
  expectContinued(api.bodies);
});

test("an answer of 40 calls: all run, the next prompt continues it, and so does that of a resumed session", async () => {
  await using workspace = await Workspace.create();
  const calls = Array.from({ length: 40 }, (_, n) => ({ id: `toolu_${n}`, tool: "Glob", input: { pattern: `${n}*` } }));
  await using api = await messagesApi(answers(calls), says("Done.", { id: "a" }), says("Again.", { id: "b" }));

  const first = await workspace.run(ask(), "", api.env);
  const second = await workspace.run(ask("--continue"), "", api.env);

  expect([first.code, first.stderr, second.code, second.stderr]).toEqual([0, "", 0, ""]);
  expectContinued(api.bodies);
});

test("a server that gives every answer the same id: answers stay apart on disk, and each is paid for", async () => {
  await using workspace = await Workspace.create();
  const same = { id: "msg_1" };
  await using api = await messagesApi(
    uses("0", "Glob", { pattern: "0" }, same),
    uses("1", "Glob", { pattern: "1" }, same),
    says("One.", same),
    says("Two.", same),
  );

  await workspace.run(ask(), "", api.env);
  const { stdout } = await workspace.run(ask("--continue"), "", api.env);

  expectContinued(api.bodies);
  expect(Object.values(resultsOf(stdout)[0]?.modelUsage ?? {})).toMatchObject([{ inputTokens: 400, outputTokens: 80 }]);
});

test("a fork leaves the session it comes from as it was, byte for byte", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(says("One.", { id: "a" }), says("Two.", { id: "b" }));
  await workspace.run(ask("--session-id", id), "", api.env);
  const [file = ""] = await transcripts(workspace);
  const before = await readFile(workspace.path(`.config/projects/${file}`));

  await workspace.run(ask("--continue", "--fork-session"), "", api.env);

  expect(await readFile(workspace.path(`.config/projects/${file}`))).toEqual(before);
  expectContinued(api.bodies);
});

test("--continue takes the newest session of this directory, also one that was forked", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(...["a", "b", "c", "d"].map((name) => says(name, { id: name })));
  await workspace.run(ask("--session-id", id), "", api.env);
  await workspace.run(ask("--session-id", otherId), "", api.env);
  const forked = await workspace.run(ask(`--resume=${id}`, "--fork-session"), "", api.env);

  const { stdout } = await workspace.run(ask("--continue"), "", api.env);

  expect(resultsOf(stdout)[0]?.session_id).toBe(resultsOf(forked.stdout)[0]?.session_id);
});

test("usage and cost go on from the stored session", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(says("One.", { id: "a" }), says("Two.", { id: "b" }));
  const first = await workspace.run(ask(), "", api.env);

  const second = await workspace.run(ask("--continue"), "", api.env);

  const [one, two] = [resultsOf(first.stdout)[0], resultsOf(second.stdout)[0]];
  expect(two?.total_cost_usd).toBeCloseTo(2 * (one?.total_cost_usd ?? 0), 10);
  expect(Object.values(two?.modelUsage ?? {})).toMatchObject([{ inputTokens: 200, outputTokens: 40 }]);
  expect(two?.usage.input_tokens).toBe(100); // of this turn
});

const refusals: readonly (readonly [flags: readonly string[], code: number, message: string])[] = [
  [["--session-id", id], 2, `Session ID ${id} is already in use.`],
  [["--continue", "--fork-session", "--session-id", id], 2, `Session ID ${id} is already in use.`],
  [["--continue", "--session-id", otherId], 2, needsFork],
  [["--resume", id, "--session-id", otherId], 2, needsFork],
  [[`--resume=${unknownId}`], 1, `No conversation found with session ID: ${unknownId}`],
  [["-r", "no-uuid", "--fork-session"], 1, "No conversation found with session ID: no-uuid"],
  [["--fork-session"], 2, "--fork-session needs --resume=ID or --continue"],
  [["--continue", "--resume", id], 2, "--resume and --continue exclude each other: give one"],
  [["--resume="], 2, '--resume "": give a value'],
];

test("what cannot be gone on with is refused in the public words, before anything is sent", async () => {
  await using workspace = await Workspace.create();
  await using api = await messagesApi(says("One."));
  await workspace.run(ask("--session-id", id), "", api.env);

  for (const [flags, code, message] of refusals) {
    const refused = await workspace.run(ask(...flags), "", api.env);
    expect([refused.code, refused.stdout, refused.stderr.split("\n")[0]]).toEqual([code, "", `Error: ${message}`]);
  }
  expect(api.bodies).toHaveLength(1);
  expect(await transcripts(workspace)).toHaveLength(1);
});

test("--continue where nothing was begun is refused, also beside another directory's session", async () => {
  await using workspace = await Workspace.create();
  await using other = await Workspace.create();
  await using api = await messagesApi(says("One."));
  await mkdir(workspace.path(".config"));
  await other.run(ask(), "", { ...api.env, PAWL_CONFIG_DIR: workspace.path(".config") });

  const { code, stdout, stderr } = await workspace.run(ask("--continue"), "", api.env);

  expect([code, stdout, stderr]).toEqual([1, "", `Error: No conversation found to continue in ${workspace.folder}\n`]);
});
