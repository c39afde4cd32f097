import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { Workspace } from "./support/pawl.ts";

/** Hosts ask before they start a session, and wait no longer. */
const VERSION_WITHIN_MS = 2_000;
const bytesOverLimit = 10 * 1024 * 1024 + 1;

test("the version comes first, alone on its line, before those who ask for it give up", async () => {
  await using workspace = await Workspace.create();

  const version = { code: 0, stdout: `${manifest.version} (Pawl)\n`, stderr: "" };
  const startedAt = performance.now();
  expect(await workspace.run(["-v"])).toEqual(version);
  expect(performance.now() - startedAt).toBeLessThan(VERSION_WITHIN_MS);
  expect(await workspace.run(["--version"])).toEqual(version);
  expect(await workspace.run(["-p", "--version"])).toEqual(version);
});

test("the help names every flag of the table and every exit code", async () => {
  await using workspace = await Workspace.create();

  const { code, stdout } = await workspace.run(["--help"]);

  expect(code).toBe(0);
  for (const word of ["--print", "--max-turns <n>", "--allowedTools, --allowed-tools", "--resume <id>"]) {
    expect(stdout).toContain(word);
  }
  for (const word of ["fable, opus, sonnet, haiku", "docs/scenarios.md", "Exit codes:", "129", "130", "143"]) {
    expect(stdout).toContain(word);
  }
});

test("what cannot be meant is refused before anything is sent, with the flag, the value and the fix", async () => {
  await using workspace = await Workspace.create();

  expect(await workspace.run(["-p", "Hello", "--max-turns", "0"])).toEqual({
    code: 2,
    stdout: "",
    stderr: 'Error: --max-turns "0": give a whole number, 1 or more\nSee pawl --help.\n',
  });
});

test("no prompt, an input that is not UTF-8, and one over 10 MB are refused before anything is sent", async () => {
  await using workspace = await Workspace.create();

  const empty = await workspace.run(["-p"]);
  const latin = await workspace.run(["-p"], Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
  const huge = await workspace.run(["-p"], Buffer.alloc(bytesOverLimit, "x"));

  expect([empty, latin, huge].map(({ code, stdout }) => [code, stdout])).toEqual(Array(3).fill([2, ""]));
  expect(empty.stderr).toContain("there is no prompt");
  expect(latin.stderr).toContain("standard input is not UTF-8");
  expect(huge.stderr).toContain("more than 10 MB");
});

test("a missing key and a broken scenario end with exit 2 and say what to do", async () => {
  await using workspace = await Workspace.create();
  await writeFile(workspace.path("broken.yaml"), "steps: 3");

  const keyless = await workspace.run(["-p", "Hello"]);
  const broken = await workspace.run(["-p", "Hello", "--model", "scripted:broken.yaml"]);

  expect([keyless.code, broken.code]).toEqual([2, 2]);
  expect(keyless.stderr).toContain("ANTHROPIC_API_KEY");
  expect(broken.stderr).toContain("broken.yaml");
});

test("a version that cannot be written is no crash; one whose reader left is no error", async () => {
  await using workspace = await Workspace.create();
  await writeFile(workspace.path("readable"), "");

  expect(await workspace.shell("{ pawl -v; echo $? >&2; } | true")).toEqual({ code: 0, stdout: "", stderr: "0\n" });
  expect(await workspace.shell("pawl -v 1< readable")).toEqual({
    ...{ code: 1, stdout: "", stderr: expect.stringMatching(/^pawl: cannot write the output: EBADF.*\n$/) },
  });
  expect((await workspace.shell("pawl --nonsense 2< readable")).code).toBe(2);
});

test("a current directory that is gone and a temp directory that cannot be used are told in one line", async () => {
  await using workspace = await Workspace.create();
  const model = (await workspace.plays([{ answer: [{ text: "Never." }] }])).join(" ");

  expect(await workspace.shell(`mkdir gone; cd gone; rmdir ../gone; pawl -p Go. ${model}`)).toEqual({
    ...{ code: 2, stdout: "", stderr: "Error: The current directory is gone: change to one that exists.\n" },
  });
  const TMPDIR = workspace.path("scenario.json");
  expect(await workspace.run(["--demo"], "", { TMPDIR })).toEqual({
    code: 2,
    stdout: "",
    stderr: expect.stringMatching(
      /^Error: The demonstration needs a folder in .*scenario.json: .*; set TMPDIR to .*\n$/,
    ),
  });
});

test("an invalid schema, and a budget in dollars for a model without a price, are refused with exit 2", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "Never." }] }]);

  const schema = await workspace.run(["-p", "Go.", "--json-schema", '{"type":"objekt"}', ...model]);
  const budget = await workspace.run(["-p", "Go.", "--max-budget-usd", "0.5", ...model]);

  expect([schema.code, budget.code]).toEqual([2, 2]);
  expect(schema.stderr).toMatch(/^Error: --json-schema is not a valid JSON Schema: .*type.*\n$/);
  expect(budget.stderr).toBe(
    "Error: --max-budget-usd cannot be held: the price of the model scripted is not known; use a model with a known price, or leave it out (--task-budget limits the tokens of any model).\n",
  );
});
