import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Step, Workspace } from "./support/pawl.ts";
import { AtTerminal, startAtTerminal } from "./support/terminal.ts";

const uses = (tool: string, input: object): Step => ({ answer: [{ text: "I will do it." }, { tool, input }] });
const bash = (command: string) => uses("Bash", { command });
const done: Step = { answer: [{ text: "All done." }] };

const at = (steps: readonly Step[], options: Parameters<typeof startAtTerminal>[2] = {}, args: string[] = []) =>
  startAtTerminal(steps, args, options);

test("a call that nothing allows is asked about: its parts, why, and once, and then the turn goes on", async () => {
  await using run = await at([bash("ls && touch made && npm test"), done], { columns: 120 });
  await run.terminal.sees("I will do it.");
  await run.terminal.sees("May Bash do this?");
  await run.terminal.sees("ls && touch made && npm test");
  await run.terminal.sees("  ls");
  await run.terminal.sees("? touch made");
  await run.terminal.sees("? npm test");
  await run.terminal.sees('Why it asks: No rule allows it and mode "default" does not either.');
  await run.terminal.sees("always allow: Bash(touch made), Bash(npm test) (in .pawl/settings.local.json)");
  await run.terminal.sees("[Esc] stop");
  expect(existsSync(run.workspace.path("made"))).toBe(false);
  run.terminal.type("y");
  await run.terminal.sees("→ allow once");
  await run.terminal.sees("All done.");
  expect((await run.terminal.ended).exitCode).toBe(0);
  expect(existsSync(run.workspace.path("made"))).toBe(true);
  expect(existsSync(run.workspace.path(".pawl"))).toBe(false);
});

test("always: the rule is written where it was said, and the same call is not asked about again", async () => {
  await using run = await at([bash("touch one"), bash("touch one"), bash("touch two"), done]);
  await run.terminal.answers("a");
  await run.terminal.sees("→ always allow: Bash(touch one) (in .pawl/settings.local.json)");
  await run.terminal.sees("always allow: Bash(touch two)");
  await run.terminal.answers("n");
  await run.terminal.sees("→ deny");
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  expect(run.terminal.text).not.toContain("not allowed"); // who said no need not be told
  const stored = JSON.parse(await readFile(run.workspace.path(".pawl/settings.local.json"), "utf8"));
  expect(stored).toEqual({ permissions: { allow: ["Bash(touch one)"] } });
  expect(existsSync(run.workspace.path("two"))).toBe(false);
});

test("deny with words: they can be edited, and reach the model", async () => {
  await using run = await at([bash("touch made"), done], {}, ["--session-id", "3f2504e0-4f89-41d3-9a0c-0305e82c3301"]);
  await run.terminal.answers("t");
  await run.terminal.sees("What should it do instead?");
  run.terminal.type("use mkdirr");
  await run.terminal.sees("> use mkdirr");
  run.terminal.type("\x7f instead ✓\r");
  await run.terminal.sees("→ deny, and tell the model");
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  const { stdout } = await run.workspace.shell("cat .config/projects/*/*.jsonl");
  expect(stdout).toContain("The user doesn't want to proceed with this tool use.");
  expect(stdout).toContain("use mkdir instead ✓");
});

test("what was typed before the question stood there answers nothing", async () => {
  await using run = await at([bash("sleep 0.4 # typed meanwhile"), bash("touch made"), done], {}, [
    "--allowedTools",
    "Bash(sleep:*)",
  ]);
  run.terminal.type("y\ny\ny\n");
  await run.terminal.sees("May Bash do this?");
  await run.terminal.answers("yes, do that\n"); // a paste is no key either
  await run.terminal.presses("n", "→ deny");
  await run.terminal.sees("All done.");
  expect(existsSync(run.workspace.path("made"))).toBe(false);
});

test("Esc stops the turn, and so does Ctrl-C, with the exit code of a signal", async () => {
  await using escaped = await at([bash("touch made"), done]);
  await escaped.terminal.answers("\x1b[A"); // an arrow is no Esc
  escaped.terminal.type("\x1b");
  await escaped.terminal.sees("→ stopped");
  expect((await escaped.terminal.ended).exitCode).toBe(1);
  expect(escaped.terminal.text).not.toContain("All done.");

  await using interrupted = await at([bash("touch made"), done]);
  await interrupted.terminal.answers("\x03");
  await interrupted.terminal.sees("→ stopped");
  expect((await interrupted.terminal.ended).exitCode).toBe(130);
  expect(existsSync(interrupted.workspace.path("made"))).toBe(false);
});

test("what a terminal would obey, and what the eye would not see, is written out", async () => {
  await using run = await at([bash("touch 'a\u202Eb\u200Bc\x1b[2J\x1b]0;title\x07\u00A0d'"), done]);
  await run.terminal.sees("touch 'a\\u{202E}b\\u{200B}c\\u{1B}[2J\\u{1B}]0;title\\u{7}\\u{A0}d'");
  await run.terminal.answers("n");
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  expect(run.terminal.raw).not.toMatch(/\u202E|\u200B|\x1b\[2J|\x1b\]0/);
});

test("a long command is folded to its beginning and its end, and shown whole on demand, in the width there is", async () => {
  const command = `echo ${Array.from({ length: 300 }, (_, word) => `word${word}`).join(" ")} > made`;
  await using run = await at([bash(command), done], { columns: 40, env: { NO_COLOR: "1" } });
  await run.terminal.sees("word0");
  await run.terminal.sees("more rows");
  await run.terminal.sees("> made");
  await run.terminal.sees("[v] show all");
  await run.terminal.sees("[Esc] stop");
  expect(run.terminal.text).not.toContain("word150");
  run.terminal.type("v");
  await run.terminal.sees("word150");
  await run.terminal.answers("n");
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  const asked = run.terminal.text.slice(run.terminal.text.indexOf("May Bash"), run.terminal.text.indexOf("→ deny"));
  expect(Math.max(...asked.split("\n").map((row) => row.length))).toBeLessThan(40);
  expect(run.terminal.raw).not.toMatch(/\x1b\[(?:1|2|36)m/);
});

test("an edit is shown as what it takes away and puts in, and the mode of the session is offered", async () => {
  await using run = await at([
    uses("Write", { file_path: "made.txt", content: "one\ntwo\n" }),
    uses("Edit", { file_path: "made.txt", old_string: "one", new_string: "ONE" }),
    done,
  ]);
  await run.terminal.sees("May Write do this?");
  await run.terminal.sees("+ one");
  await run.terminal.sees("+ two");
  await run.terminal.sees("always allow: mode acceptEdits (this session)");
  await run.terminal.answers("a");
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  expect(await readFile(run.workspace.path("made.txt"), "utf8")).toBe("ONE\ntwo\n");
});

test("calls that ask at the same time are asked about one after the other", async () => {
  const elsewhere = await Workspace.create();
  await using _ = elsewhere;
  const read = (name: string) => ({ tool: "Read", input: { file_path: elsewhere.path(name) } });
  for (const name of ["one", "two", "three"]) await writeFile(elsewhere.path(name), `text of ${name}\n`);
  await mkdir(elsewhere.path("other"));
  await writeFile(elsewhere.path("other/four"), "text of four\n");
  await using run = await at([{ answer: [read("other/four"), read("one"), read("two"), read("three")] }, done]);
  await run.terminal.sees(elsewhere.path("other/four"));
  await run.terminal.answers("y");
  await run.terminal.sees("→ allow once");
  await run.terminal.sees(elsewhere.path("one"));
  await run.terminal.answers("a"); // the folder: the other two are settled with it
  await run.terminal.sees("All done.");
  await run.terminal.ended;
  expect(run.terminal.text.match(/May Read do this\?/g)).toHaveLength(2);
  for (const name of ["one", "two", "three", "four"])
    expect(run.terminal.text).toMatch(new RegExp(`⎿ Read\\(.*${name}\\): 2 lines`));
});

test("without a terminal on both sides nothing is asked", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([bash("touch made"), done]);
  const { code, stderr } = await workspace.run(["-p", "go", ...model]);
  expect(code).toBe(0);
  expect(stderr).toContain("Bash");
  expect(existsSync(workspace.path("made"))).toBe(false);
});

test("what a folder would grant is asked about before anything is used, and Enter is a no", async () => {
  await using workspace = await Workspace.create();
  await mkdir(workspace.path(".pawl"));
  await writeFile(workspace.path(".pawl/settings.json"), '{ "permissions": { "allow": ["Bash(touch made)"] } }');
  const model = await workspace.plays([bash("touch made"), done]);
  using refused = new AtTerminal(workspace, ["-p", "go", ...model], { columns: 200 });
  await refused.sees(`Do you trust ${workspace.folder}?`);
  await refused.sees("permissions.allow");
  await refused.sees("[Esc] stop");
  refused.type("\r");
  await refused.sees("→ no, go on without");
  await refused.sees("May Bash do this?");
  await refused.sees("[Esc] stop");
  refused.type("n");
  await refused.sees("All done.");
  await refused.ended;

  using trusted = new AtTerminal(workspace, ["-p", "go", ...model], { columns: 200 });
  await trusted.sees("Do you trust");
  await trusted.sees("[Esc] stop");
  trusted.type("y");
  await trusted.sees("→ yes");
  await trusted.sees("All done.");
  await trusted.ended;
  expect(existsSync(workspace.path("made"))).toBe(true);
});
