import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  findInstructionFiles,
  MAX_IMPORTED_FILES,
  MAX_INSTRUCTION_FILE_BYTES,
  MAX_INSTRUCTION_FILES,
} from "./instruction-files.ts";

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-instructions-")));
});
afterEach(() => rm(root, { recursive: true }));

async function write(path: string, text: string) {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const find = (cwd: string, roots: string[] = []) =>
  findInstructionFiles({
    cwd: join(root, cwd),
    home: join(root, "home"),
    configHome: join(root, "home/.pawl"),
    roots: [join(root, cwd), ...roots],
  });
const at = (path: string, text: string) => ({ path: join(root, path), text });

test("the user's file comes first, then from the repository's root down to the current directory", async () => {
  await write("CLAUDE.md", "above the repository");
  await write("repo/.git/HEAD", "");
  await write("repo/CLAUDE.md", "of the repository\n");
  await write("repo/a/AGENTS.md", "of a");
  await write("repo/a/b/CLAUDE.md", "of b");
  await write("repo/a/b/c/CLAUDE.md", "below");
  await write("home/.pawl/CLAUDE.md", "the user's own");
  await mkdir(join(root, "repo/a/b"), { recursive: true });

  expect(await find("repo/a/b")).toEqual({
    files: [
      at("home/.pawl/CLAUDE.md", "the user's own"),
      at("repo/CLAUDE.md", "of the repository"),
      at("repo/a/AGENTS.md", "of a"),
      at("repo/a/b/CLAUDE.md", "of b"),
    ],
    warnings: [],
  });
});

test("outside a repository every folder above counts", async () => {
  await write("CLAUDE.md", "outer");
  await write("x/y/CLAUDE.md", "inner");
  expect((await find("x/y")).files).toEqual([at("CLAUDE.md", "outer"), at("x/y/CLAUDE.md", "inner")]);
});

test("AGENTS.md is read only where there is no CLAUDE.md, and a blank file is none", async () => {
  await write("r/.git", "gitdir: elsewhere");
  await write("r/CLAUDE.md", "ours");
  await write("r/AGENTS.md", "theirs");
  await write("r/sub/CLAUDE.md", " \n");
  expect((await find("r/sub")).files).toEqual([at("r/CLAUDE.md", "ours")]);
});

test("a file that is reached twice is given once", async () => {
  await write("r/.git/HEAD", "");
  await write("r/AGENTS.md", "shared");
  await symlink("AGENTS.md", join(root, "r/CLAUDE.md"));
  await mkdir(join(root, "r/sub"));
  await symlink("../AGENTS.md", join(root, "r/sub/CLAUDE.md"));
  expect((await find("r/sub")).files).toEqual([at("r/sub/CLAUDE.md", "shared")]);
});

test("a link that leads out of the project is left out with a warning, unless it leads into a root", async () => {
  await write("r/.git/HEAD", "");
  await write("secret/key", "s3cret");
  await symlink(join(root, "secret/key"), join(root, "r/CLAUDE.md"));
  expect(await find("r")).toEqual({
    files: [],
    warnings: [
      `${root}/r/CLAUDE.md was left out: it is a link to ${root}/secret/key, outside this project; copy the text instead`,
    ],
  });
  expect((await find("r", [join(root, "secret")])).files).toEqual([at("r/CLAUDE.md", "s3cret")]);
});

test("the user's own file may be a link into the home folder", async () => {
  await write("home/dotfiles/instructions.md", "mine");
  await mkdir(join(root, "home/.pawl"), { recursive: true });
  await symlink("../dotfiles/instructions.md", join(root, "home/.pawl/AGENTS.md"));
  await mkdir(join(root, "r/.git"), { recursive: true });
  expect((await find("r")).files).toEqual([at("home/.pawl/AGENTS.md", "mine")]);
});

test("what is no regular file is left out with a warning, and AGENTS.md stands in", async () => {
  await mkdir(join(root, "r/.git"), { recursive: true });
  await mkdir(join(root, "r/CLAUDE.md"));
  await write("r/AGENTS.md", "stands in");
  expect(await find("r")).toEqual({
    files: [at("r/AGENTS.md", "stands in")],
    warnings: [`${root}/r/CLAUDE.md was left out: it is no regular file`],
  });
});

test("a long file is cut between characters, with a note", async () => {
  await mkdir(join(root, "r/.git"), { recursive: true });
  await write("r/CLAUDE.md", `${"x".repeat(MAX_INSTRUCTION_FILE_BYTES - 1)}é and more`);
  expect((await find("r")).files).toEqual([
    at("r/CLAUDE.md", `${"x".repeat(MAX_INSTRUCTION_FILE_BYTES - 1)}\n[Cut here: only the first 40 KB are read.]`),
  ]);
});

test("of very many files the nearest are kept", async () => {
  await mkdir(join(root, ".git"));
  const folders = Array.from({ length: MAX_INSTRUCTION_FILES + 2 }, (_, depth) => "d/".repeat(depth));
  for (const folder of folders) await write(`${folder}CLAUDE.md`, folder);
  const { files } = await find(folders.at(-1) ?? "");
  expect(files.map(({ path }) => path)).toEqual(folders.slice(2).map((folder) => join(root, folder, "CLAUDE.md")));
});

test("what a file imports follows it, up to four hops and each file once; a folder or nothing is no import", async () => {
  await write("repo/.git/HEAD", "");
  await write("repo/CLAUDE.md", "@docs/a.md and @docs and @types/node, ann@example.com `@docs/b.md`");
  await write("repo/docs/a.md", "one @b.md @../CLAUDE.md");
  for (const [name, next] of ["bc", "cd", "de"]) await write(`repo/docs/${name}.md`, `@${next}.md`);
  await write("repo/docs/e.md", "five hops away");

  const { files, warnings } = await find("repo");

  expect(files.map(({ path }) => path.slice(root.length + 1))).toEqual(
    ["CLAUDE.md", "docs/a.md", "docs/b.md", "docs/c.md", "docs/d.md"].map((path) => `repo/${path}`),
  );
  expect(warnings).toEqual([]);
});

test("a project imports nothing from outside of it, the user's own file what is in the home folder", async () => {
  await write("repo/.git/HEAD", "");
  await write("home/.ssh/id_rsa", "secret");
  await write("home/notes.md", "mine");
  await write("home/.pawl/CLAUDE.md", "@~/notes.md");
  await write("repo/CLAUDE.md", "@~/.ssh/id_rsa @../home/notes.md @link.md");
  await symlink(join(root, "home/.ssh/id_rsa"), join(root, "repo/link.md"));

  const { files, warnings } = await find("repo");

  expect(files.map(({ text }) => text)).toEqual(["@~/notes.md", "mine", "@~/.ssh/id_rsa @../home/notes.md @link.md"]);
  expect(warnings).toEqual([
    expect.stringMatching(/id_rsa, which .*repo\/CLAUDE.md imports, was left out: it lies outside this project/),
    expect.stringMatching(/notes.md, which .* was left out: it lies outside this project/),
    expect.stringMatching(/link.md, which .* was left out: it is a link to .*id_rsa, outside this project/),
  ]);
});

test("more imported files than are read are left out with a warning", async () => {
  const names = Array.from({ length: MAX_IMPORTED_FILES + 1 }, (_, at) => `n${at}.md`);
  for (const name of names) await write(`repo/${name}`, name);
  await write("repo/.git/HEAD", "");
  await write("repo/CLAUDE.md", names.map((name) => `@${name}`).join("\n"));

  const { files, warnings } = await find("repo");

  expect(files).toHaveLength(1 + MAX_IMPORTED_FILES);
  expect(warnings).toEqual([expect.stringContaining(`more than ${MAX_IMPORTED_FILES} files are imported`)]);
});
