import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Workspace } from "./support/pawl.ts";

/** Loaded before the program: writes down each path below `tree` that is asked for, and each program that is started. */
const probe = `
import childProcess from "node:child_process";
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const append = fs.appendFileSync;
const note = (line) => append(process.env.PROBE_LOG, line + "\\n");
function watch(module, noteCall) {
  for (const [name, value] of Object.entries(module)) {
    if (typeof value !== "function" || /^[A-Z_]/.test(name)) continue;
    module[name] = Object.assign(function (...args) {
      noteCall(name, args);
      return value.apply(this, args);
    }, value);
  }
}
const notePath = (name, [path]) => {
  if (String(path).includes("/tree")) note("path " + String(path));
};
watch(fs, notePath);
watch(fs.promises, notePath);
watch(childProcess, (name, [file]) => note("start " + String(file)));
syncBuiltinESMExports();
`;

test("B37: a start in a home folder with a big tree and a cycle of links looks at none of it before it is asked to", async () => {
  await using workspace = await Workspace.create();
  for (let index = 0; index < 200; index++) {
    await mkdir(workspace.path(`tree/${index}/deep/node_modules`), { recursive: true });
    await writeFile(workspace.path(`tree/${index}/.gitignore`), "*.log\n");
    await symlink(workspace.path("tree"), workspace.path(`tree/${index}/deep/cycle`));
  }
  await writeFile(workspace.path("tree/7/a.txt"), "one\n");
  await writeFile(workspace.path("probe.mjs"), probe);
  await writeFile(workspace.path("probe.log"), "");
  const env = {
    NODE_OPTIONS: `--import=${pathToFileURL(workspace.path("probe.mjs")).href}`,
    PROBE_LOG: workspace.path("probe.log"),
  };
  const noted = async () => (await readFile(workspace.path("probe.log"), "utf8")).split("\n").filter(Boolean);

  const plain = await workspace.plays([{ answer: [{ text: "Hello." }] }]);
  expect(await workspace.run(["-p", "Hi.", ...plain], "", env)).toMatchObject({ code: 0, stdout: "Hello.\n" });
  expect((await noted()).filter((line) => line.startsWith("path ") || /\b(?:rg|find|ripgrep)$/.test(line))).toEqual([]);

  // The probe sees what is looked at: one file, and the folders that lead to it.
  const asked = await workspace.plays([
    { answer: [{ tool: "Read", input: { file_path: workspace.path("tree/7/a.txt") } }] },
    { answer: [{ text: "Read." }] },
  ]);
  expect(await workspace.run(["-p", "Read it.", ...asked], "", env)).toMatchObject({ code: 0, stdout: "Read.\n" });
  const paths = (await noted()).flatMap((line) => (line.startsWith("path ") ? [line.slice("path ".length)] : []));
  expect(paths).toContain(workspace.path("tree/7/a.txt"));
  expect(paths.filter((path) => /\/tree\/(?!7\b)|\/deep\b/.test(path))).toEqual([]);
});
