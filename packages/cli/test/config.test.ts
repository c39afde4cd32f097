import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { Workspace } from "./support/pawl.ts";

async function withFiles(files: Record<string, string>): Promise<Workspace> {
  const workspace = await Workspace.create();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(workspace.path(name)), { recursive: true });
    await writeFile(workspace.path(name), text);
  }
  return workspace;
}

test("config set, get, list and unset: the file keeps its form, and a list shows what counts and from where", async () => {
  await using workspace = await withFiles({
    ".config/settings.json": '{\n\t"ours": 1.0,\n\t"env": {"TOKEN": "abc", "A": "1"}\n}\n',
    ".pawl/settings.json": '{"permissions": {"deny": ["Read(./.env)"], "allow": ["Edit"]}}',
  });
  const set = await workspace.run(["config", "set", "model", "opus"]);
  expect(set).toEqual({
    code: 0,
    stdout: "",
    stderr: `pawl: set in ${workspace.path(".config/settings.json")}: model = "opus"\n`,
  });
  expect(await readFile(workspace.path(".config/settings.json"), "utf8")).toBe(
    '{\n\t"ours": 1.0,\n\t"env": {"TOKEN": "abc", "A": "1"},\n\t"model": "opus"\n}\n',
  );
  expect((await workspace.run(["config", "get", "model"])).stdout).toBe("opus\n");
  expect((await workspace.run(["config", "get", "env", "--json"])).stdout).toBe(
    '{\n  "TOKEN": "abc",\n  "A": "1"\n}\n',
  );

  const list = await workspace.run(["config", "list"]);
  const user = `(user: ${workspace.path(".config/settings.json")})`;
  expect(list.stdout.split("\n")).toEqual([
    `permissions.deny = "Read(./.env)"  (project: ${workspace.path(".pawl/settings.json")})`,
    `model = "opus"  ${user}`,
    `env.TOKEN = "(hidden)"  ${user}`,
    `env.A = "1"  ${user}`,
    `ours = 1  ${user}`,
    "",
  ]);
  expect(list.stderr).toContain("permissions.allow"); // the folder is not trusted, and that is said
  const trusted = JSON.parse((await workspace.run(["config", "list", "--json", "--trust"])).stdout);
  expect(trusted).toContainEqual({
    ...{
      key: "permissions.allow",
      value: "Edit",
      source: "projectSettings",
      place: workspace.path(".pawl/settings.json"),
    },
  });

  expect((await workspace.run(["config", "unset", "model"])).code).toBe(0);
  expect(await workspace.run(["config", "get", "model"])).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^pawl: model is not set\n$/m),
  });
});

test.each([
  [["config"], "pawl config does list, get, set or unset"],
  [["config", "my", "app"], 'not "my"; a prompt that begins with "config" goes into quotes'],
  [["config", "set", "modle", "opus"], "modle is no setting; do you mean model?"],
  [["config", "set", "sandbox.enabled", "yes"], "sandbox.enabled takes JSON, such as 'true', and \"yes\" is none"],
  [["config", "set", "model", "opuss"], 'settings.json: unknown model "opuss"; known aliases: '],
  [["config", "set", "fallbackModel", '["haiku", "nobody"]'], 'settings.json: fallbackModel: unknown model "nobody"; '],
  [["config", "set", "effortLevel", "huge"], 'effortLevel is "huge"; write one of "low"'],
  [["config", "set", "apiKeyHelper", "x", "--scope", "project"], "put it into your own settings, not a project's"],
  [["config", "set", "model", "opus", "--scope", "all"], "give one of user, project, local"],
  [["config", "list", "--colour"], "--colour"],
  [["doctor", "please"], 'a prompt that begins with "doctor" goes into quotes'],
  [["--setting-sources", "all", "-p", "x"], "give one of user, project, local"],
  [["--settings", "none.json", "-p", "x"], "there is no file"],
])("%j is refused with what to do", async (args, text) => {
  await using workspace = await Workspace.create();
  const { code, stdout, stderr } = await workspace.run(args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(text);
});

test("a model that nobody knows is told with what names it, by a run and by doctor", async () => {
  await using workspace = await withFiles({ ".config/settings.json": '{\n  "model": "opuss"\n}\n' });
  const place = `${workspace.path(".config/settings.json")}:2`;
  const errorOf = async (args: string[], env = {}) => (await workspace.run(["-p", "x", ...args], "", env)).stderr;
  const known = "known aliases: fable, opus, sonnet, haiku. Or give a whole model id, such as claude-sonnet-5-5";
  const told = (name: string, from: string) => `Error: unknown model "${name}"; ${known}. ${from} names it.\n`;

  expect(await errorOf([])).toBe(told("opuss", place));
  expect(await errorOf(["--model", "gpt"])).toBe(told("gpt", "--model"));
  expect(await errorOf([], { ANTHROPIC_MODEL: "opsu" })).toBe(told("opsu", "ANTHROPIC_MODEL"));
  const ofSettings = ["--settings", '{"env": {"PAWL_MODEL": "sonet"}}'];
  expect(await errorOf(ofSettings)).toBe(told("sonet", "PAWL_MODEL (--settings:1)"));

  const { code, stdout } = await workspace.run(["doctor", "--json"], "", { PAWL_MODEL: "opsu" });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).problems).toEqual([
    `PAWL_MODEL: unknown model "opsu"; ${known}`,
    `${place}: unknown model "opuss"; ${known}`,
  ]);
  const others = { model: "claude-new-9", fallbackModel: "scripted:x.yaml" };
  await writeFile(workspace.path(".config/settings.json"), JSON.stringify(others));
  expect((await workspace.run(["doctor"])).code).toBe(0);
});

test("what is left out of the settings is marked in the lists, or does not stand there", async () => {
  await using workspace = await withFiles({
    ".config/settings.json": JSON.stringify({
      permissions: { deny: ["Bash(rm", "Bash(x)"], allow: ["Write(src/**)"] },
      timeouts: { stallMs: "long" },
    }),
  });
  const place = workspace.path(".config/settings.json");
  const list = await workspace.run(["config", "list"]);
  expect(list.stdout.split("\n")).toEqual([
    `permissions.allow = "Write(src/**)"  (user: ${place})  left out, pawl doctor says why`,
    `permissions.deny = "Bash(rm"  (user: ${place})  left out, pawl doctor says why`,
    `permissions.deny = "Bash(x)"  (user: ${place})`,
    "",
  ]);
  expect(list.stderr).toContain("timeouts.stallMs is a string");
  expect((await workspace.run(["config", "get", "timeouts"])).code).toBe(1);
  const entries: { value: unknown; isLeftOut?: true }[] = JSON.parse(
    (await workspace.run(["config", "list", "--json"])).stdout,
  );
  expect(entries.filter(({ isLeftOut }) => isLeftOut).map(({ value }) => value)).toEqual(["Write(src/**)", "Bash(rm"]);
  const { stdout } = await workspace.run(["doctor"]);
  expect(stdout).toContain(`  permissions.deny = "Bash(rm"  (${place})  left out\n`);
  expect(stdout).toContain(`  permissions.deny = "Bash(x)"  (${place})\n`);
});

test("a prompt of several words in one argument that begins like a command is a prompt", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "Done." }] }]);
  expect((await workspace.run(["config my app", "-p", ...model])).stdout).toBe("Done.\n");
  expect((await workspace.run(["-p", ...model, "--", "config"])).stdout).toBe("Done.\n");
});

test("the first local setting keeps its file out of git, and says so", async () => {
  await using workspace = await Workspace.create();
  execFileSync("git", ["init", "-q", workspace.path("repo")]);
  await mkdir(workspace.path("repo/sub"));
  const { stderr } = await workspace.shell(`cd repo/sub && pawl config set --scope local model opus`);
  expect(stderr).toContain(`${workspace.path("repo/.pawl/settings.local.json")} is kept out of git`);
  expect(execFileSync("git", ["-C", workspace.path("repo"), "status", "--porcelain"], { encoding: "utf8" })).toBe("");
});

test("a broken file is not written over, and doctor says what is wrong with it, what is unknown, and no key's value", async () => {
  await using workspace = await withFiles({
    ".config/settings.json": '{\n  "permissions": {"deny": ["Bash(rm *)"]},\n}',
    ".pawl/settings.json": '{"modle": "opus", "cleanupPeriodDays": 0}',
  });
  const set = await workspace.run(["config", "set", "model", "opus"]);
  expect(set.code).toBe(2);
  expect(set.stderr).toContain("settings.json:3:1: not valid JSON: remove the comma");

  const env = { ANTHROPIC_API_KEY: "sk-ant-secret" };
  const { code, stdout } = await workspace.run(["doctor", "--json"], "", env);
  const diagnosis = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(stdout).not.toContain("sk-ant-secret");
  expect(diagnosis.keys).toContainEqual({ name: "ANTHROPIC_API_KEY", isPresent: true });
  expect(diagnosis.problems).toEqual([
    expect.stringContaining("settings.json:3:1: not valid JSON"),
    expect.stringContaining("settings.json:1: cleanupPeriodDays is 0; write at least 1"),
  ]);
  expect(diagnosis.hints).toContainEqual(expect.stringContaining("modle has no effect; do you mean model?"));
  expect(diagnosis.settings).toMatchObject([{ key: "permissions.deny", value: "Bash(rm *)", source: "userSettings" }]);
  expect(diagnosis.programs.map(({ name }: { name: string }) => name)).toEqual(
    expect.arrayContaining(["git", "rg", "shell", "sharp"]),
  );
  expect((await workspace.run(["doctor"], "", env)).stdout).toMatch(/Problems\n {2}.*not valid JSON/);
});

test("a rule that would have no effect is not set, and doctor tells of those in the files and of what is not in force", async () => {
  await using workspace = await withFiles({
    ".pawl/settings.json": JSON.stringify({
      permissions: { deny: ["Bash(rm", "Bsh(rm *)", "WebFetch(https://evil.example)"], allow: ["Bash(ls)"] },
      sandbox: { enabled: true },
      effortLevel: "high",
    }),
  });
  const place = workspace.path(".pawl/settings.json");
  for (const rule of ["Bash(rm", "Write(secret.txt)"]) {
    const set = await workspace.run([
      "config",
      "set",
      "permissions.deny",
      JSON.stringify([rule]),
      "--scope",
      "project",
    ]);
    expect(set).toMatchObject({ code: 2, stderr: expect.stringContaining(`${place}: `) });
    expect(set.stderr).toContain("; ");
  }
  const { code, stdout } = await workspace.run(["doctor", "--json"]);
  const { problems, hints } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(problems).toEqual([
    `${place}:1: permission rule "Bash(rm" has no closing bracket; write "Bash(rm)"; the rule is left out`,
    `${place}:1: deny rule "WebFetch(https://evil.example)" never matches; write "WebFetch(domain:evil.example)"`,
    expect.stringContaining(`${place}:1: deny rule "Bsh(rm *)" names a tool that does not exist`),
    expect.stringContaining(`${place}:1: sandbox.enabled has no effect`),
  ]);
  expect(hints).toContain(`${place}:1: effortLevel has no effect`);
});

test("a session that asks not to go on without a sandbox does not, and one with a sandbox only is warned", async () => {
  await using workspace = await Workspace.create();
  const run = async (sandbox: object) => {
    const model = await workspace.plays([{ answer: [{ text: "Done." }] }]);
    return workspace.run(["-p", "Go.", "--settings", JSON.stringify({ sandbox }), ...model]);
  };
  const warned = await run({ enabled: true });
  expect(warned).toMatchObject({ code: 0, stdout: "Done.\n" });
  expect(warned.stderr).toBe(
    "pawl: --settings:1: sandbox.enabled has no effect: this version confines no commands, they run as you\n",
  );
  const refused = await run({ enabled: true, failIfUnavailable: true });
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toMatch(/^Error: --settings:1: sandbox.failIfUnavailable is set/);
});

test("doctor says that a named shell cannot be run, as the session does", async () => {
  await using workspace = await Workspace.create();
  const { code, stdout } = await workspace.run(["doctor", "--json"], "", { PAWL_SHELL: "/no/such/bash" });
  expect(code).toBe(1);
  expect(JSON.parse(stdout).problems).toEqual([expect.stringContaining("shell is not there")]);
});

/** A folder that nobody has trusted must not write on the screen of the one who looks at it. */
test("control and invisible characters of a folder's settings are shown as escapes by every command and print", async () => {
  await using workspace = await withFiles({
    ".pawl/settings.json": JSON.stringify({
      permissions: { deny: ["Bsh\x1b[2J(x)", "Bash(\x1b]0;title\x07", "Foo\u202ebar(x)"], ask: ["B\x9b2Jx"] },
      "key\x1b[2J": 1,
      env: { "A\x1b[2J": "x" },
    }),
  });
  for (const args of [
    ["doctor"],
    ["config", "list"],
    ["config", "get", "no\x1b[2J"],
    ["permissions", "explain", "Bash", "ls"],
    ["-p", "hi", "--model", "no\x1b[2Jmodel"],
    ["-p", "hi", "--output-format", "no\x1b[2J"],
    ["trust", "revoke", "no\x1b[2J"],
  ]) {
    const { stdout, stderr } = await workspace.run(args);
    expect(stdout + stderr, args.join(" ")).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  }
  expect((await workspace.run(["doctor"])).stdout).toContain("Bsh\\u{1B}[2J(x)");
});
