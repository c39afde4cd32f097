import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inspectSettings } from "../../src/index.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-lines-"));
});
afterEach(() => rm(root, { recursive: true }));

const file = () => join(root, "home/.pawl/settings.json");

async function inspected(text: string | Uint8Array) {
  await mkdir(dirname(file()), { recursive: true });
  await mkdir(join(root, "work"), { recursive: true });
  await writeFile(file(), text);
  return inspectSettings({ cwd: join(root, "work"), env: { HOME: join(root, "home") }, managedSettingsFolders: [] });
}

/** Each fault stands alone in line 3. */
test.each([
  ["a rule that cannot be read", '"permissions": { "deny": [\n"Bash(rm"] }', /no closing bracket.*write/],
  ["a rule about no tool", '"permissions": { "deny": [\n"Bsh(rm *)"] }', /does not exist here; do you mean Bash\?/],
  ["a bare rule about no tool", '"permissions": { "ask": [\n"Bsh"] }', /does not exist here; do you mean Bash\?/],
  ["a rule that never matches", '"permissions": { "deny": [\n"Write(x)"] }', /never matches.*write "Edit/],
  ["a broad allow rule", '"permissions": { "allow": [\n"B*"] }', /never matches: an allow rule names one tool/],
  ["a rule in an odd list", '"permissions": { "deny":\n{ "one": "Bsh" } }', /does not exist here; do you mean Bash\?/],
  ["a wrong mode", '"permissions": { "defaultMode":\n"yolo" }', /write one of/],
  ["a value of a wrong type", '"model":\n5', /write a text/],
  ["a variable's name", '"env": {\n"A B": "x" }', /use letters/],
  ["a policy's key", '"allowManagedHooksOnly":\ntrue', /machine's policy only/],
  ["rules in a wrong place", '"deny":\n["Read"]', /put it into "permissions"/],
  ["a list that stands there twice", '"permissions": { "deny": [], "deny":\n[] }', /make one of them/],
  ["hooks that have no effect", '"hooks":\n{ "Stop": [] }', /no effect/],
  ["lists too deep", `"a": [\n${"[".repeat(99)}${"]".repeat(99)}]`, /deep; take some out/],
  ["a missing comma", '"model": "x"\n"b": 1', /not valid JSON: .*entries a comma between them/],
])("%s is told with file, line and fix", async (_, entry, says) => {
  const { problems } = await inspected(`{\n${entry}\n}`);
  const told = problems.filter((problem) => says.test(problem));
  expect(told, problems.join("\n")).toHaveLength(1);
  expect(told[0]?.startsWith(`${file()}:3`), told[0]).toBe(true);
});

test("a file that is no object, or not UTF-8, is told with its line, and so is a key without effect", async () => {
  expect((await inspected("\n[]")).problems).toEqual([expect.stringContaining(`${file()}:2: is a list; write`)]);
  const latin = Buffer.from('{\n"model": "caf\xe9"\n}', "latin1");
  expect((await inspected(latin)).problems).toEqual([expect.stringContaining(`${file()}:2: not UTF-8; save`)]);
  const unknown = await inspected('{\n"modle": "x",\n"permissions": {\n"alow": [] } }');
  expect(unknown.unknownKeys).toEqual([
    { key: "modle", place: file(), line: 2, suggestion: "model" },
    { key: "permissions.alow", place: file(), line: 4, suggestion: "allow" },
  ]);
});
