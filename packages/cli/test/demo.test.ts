import { access } from "node:fs/promises";
import { expect, test } from "vitest";
import { messagesApi, says, uses } from "./support/messages-api.ts";
import { Workspace } from "./support/pawl.ts";

test("the demonstration says that its model is scripted, fixes the project and shows what it did", async () => {
  await using workspace = await Workspace.create();

  const { code, stdout, stderr } = await workspace.run(["--demo"], "", { TMPDIR: workspace.folder });

  expect([code, stderr]).toEqual([0, ""]);
  const inOrder = [
    "The model is scripted",
    "● TodoWrite",
    "● Bash(node --test",
    "Exit code 1",
    "● Grep(pageCount)",
    "● Read(src/pages.js)",
    "● Edit(src/pages.js)",
    "● Bash(node --test",
    "8 rounds",
    "-  return Math.floor(entries / pageSize);\n+  return Math.ceil(entries / pageSize);",
    "The tests pass.",
  ];
  let place = 0;
  for (const text of inOrder) {
    expect(stdout.slice(place)).toContain(text);
    place = stdout.indexOf(text, place) + text.length;
  }
  const transcript = /The transcript: (\/.+\.jsonl)\n$/.exec(stdout)?.[1];
  await expect(access(transcript ?? "none")).resolves.toBeUndefined();
});

test("a demonstration that does not fix the project fails", async () => {
  await using workspace = await Workspace.create();
  const model = await workspace.plays([{ answer: [{ text: "I have fixed it." }] }]);

  const { code, stdout } = await workspace.run(["--demo", ...model], "", { TMPDIR: workspace.folder });

  expect(code).toBe(1);
  expect(stdout).toContain("The tests still fail.");
});

test("with a key set the real model does it, over the wire", async () => {
  await using workspace = await Workspace.create();
  const runTests = (id: string) => uses(id, "Bash", { command: "node --test" });
  const fix = { old_string: "Math.floor(entries / pageSize)", new_string: "Math.ceil(entries / pageSize)" };
  await using api = await messagesApi(
    runTests("0"),
    uses("1", "Read", { file_path: "src/pages.js" }),
    uses("2", "Edit", { file_path: "src/pages.js", ...fix }),
    runTests("3"),
    says("It rounds up now.", { id: "msg_4" }),
  );

  const { code, stdout, stderr } = await workspace.run(["--demo"], "", { ...api.env, TMPDIR: workspace.folder });

  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("The model is real.");
  expect(stdout).not.toContain("scripted");
  expect(stdout).toContain("-  return Math.floor(entries / pageSize);\n+  return Math.ceil(entries / pageSize);");
  expect(stdout).toContain("It rounds up now.");
  expect(stdout).toContain("The tests pass.");
  expect(api.bodies.map(({ model, stream }) => [model, stream])).toEqual(Array(5).fill(["claude-sonnet-5-5", true]));
  expect(JSON.stringify(api.bodies[0]?.messages)).toContain("The tests of this project fail.");
});
