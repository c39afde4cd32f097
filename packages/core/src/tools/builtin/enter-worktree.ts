import { randomBytes } from "node:crypto";
import { isAbsolute, join, resolve } from "node:path";
import { isInside } from "../../lib/is-inside.ts";
import { git } from "../../shell/git.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { errorResult, refusal } from "./error-result.ts";
import { currentWorktree, setWorktree } from "./worktree/current-worktree.ts";
import { mainCheckout, worktreesFolder, worktreesOf } from "./worktree/repository.ts";

/** The last part of a branch and of a path: letters, digits, `-`, `_` and `.`, beginning with one of the first two. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?![.]|$)){0,63}$/;
const NEW_NAME_BYTES = 4;

export const enterWorktreeTool = defineTool({
  name: "EnterWorktree",
  description: `Goes on in a git worktree: a second checkout with a branch of its own, so that the user's files stay as they are.

- Only when the user asks for a worktree, or for work beside theirs.
- With a name it makes a new one from the current commit; with a path it enters one that is there. Neither: a new one with a made-up name.
- ExitWorktree goes back.`,
  inputSchema: {
    type: "object",
    properties: {
      name: { type: "string", description: 'Of a new one, such as "parser-fix".' },
      path: { type: "string", description: "Of one of this repository's worktrees. Not together with name." },
    },
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  isReadOnly: () => false,
  isConcurrencySafe: () => false,
  touches: () => [{ type: "other" }],
  async run({ name, path }, context) {
    const current = currentWorktree(context);
    if (current !== undefined)
      return refusal(`The session is in the worktree ${current.path} already: ExitWorktree first.`);
    if (name !== undefined && path !== undefined)
      return refusal("Give a name for a new worktree, or the path of one, not both.");
    const checkout = await mainCheckout(context);
    if ("error" in checkout) return refusal(`There is no git repository to make a worktree of: ${checkout.error}.`);
    return path === undefined
      ? make(checkout.root, name ?? `w${randomBytes(NEW_NAME_BYTES).toString("hex")}`, context)
      : enter(checkout.root, path, context);
  },
});

async function make(root: string, name: string, context: ToolContext): Promise<ToolResult> {
  if (!NAME.test(name) || name.endsWith(".lock")) {
    return refusal(`"${name}" is no name for a worktree: use letters, digits, "-", "_" and single dots, at most 64.`);
  }
  const { files, shell, cwd, signal } = context;
  const folder = worktreesFolder(root);
  if (!isInAny(await files.realPath(folder), context.roots)) {
    return refusal(`${folder} is outside of the working directories: add ${root} to them, as with --add-dir.`);
  }
  const path = join(folder, name);
  const branch = `worktree-${name}`;
  const taken = await takenBy(name, { root, path, branch }, context);
  if (taken !== undefined) return refusal(taken);
  await keepOutOfGit(folder, context);
  const commit = await git(shell, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], { cwd, signal });
  if (!commit.ok) return refusal("The repository has no commit yet to make a worktree of: commit something first.");
  const added = await git(shell, ["worktree", "add", "-b", branch, path], { cwd, signal });
  if (!added.ok) return errorResult(`The worktree could not be made: ${added.message}`);
  return moveTo({ path: await files.realPath(path), branch, isOwn: true }, context);
}

const VANISHED = "is gone, but git still knows of it: have git worktree prune forget it, or give another name.";

/** Why a worktree of this name cannot be made, and how to go on; undefined when the name is free. */
async function takenBy(
  name: string,
  { root, path, branch }: { root: string; path: string; branch: string },
  { files, shell, cwd, signal }: ToolContext,
): Promise<string | undefined> {
  const there = await files.realPath(path);
  const worktrees = await worktreesOf(root, { shell, cwd, signal });
  const isKnown = worktrees.some((each) => each.path === there);
  if (isKnown && (await files.stat(there)) === undefined) return `The worktree "${name}" ${VANISHED}`;
  if (isKnown)
    return `There is a worktree "${name}" already: give the path ${there} to enter it, or another name to make a new one.`;
  const found = await git(shell, ["show-ref", "--verify", "--quiet", `refs/heads/${branch}`], { cwd, signal });
  return found.ok ? `There is a branch ${branch} already, without a worktree here: give another name.` : undefined;
}

/** An ignore file in the folder itself: no file of the project is changed for it. */
async function keepOutOfGit(folder: string, { files }: ToolContext): Promise<void> {
  const path = join(folder, ".gitignore");
  if ((await files.stat(path)) === undefined) await files.writeText(path, { text: "*\n", hasBom: false });
}

async function enter(root: string, path: string, context: ToolContext): Promise<ToolResult> {
  const real = await context.files.realPath(isAbsolute(path) ? path : resolve(context.cwd, path));
  const [main, ...others] = await worktreesOf(root, context);
  const found = others.find((worktree) => worktree.path === real);
  if (found === undefined) {
    const there = others.length === 0 ? "It has none." : `It has ${others.map((each) => each.path).join(", ")}.`;
    return refusal(`${real} is no worktree of the repository ${main?.path ?? root}. ${there}`);
  }
  if ((await context.files.stat(real)) === undefined) return refusal(`The worktree ${real} ${VANISHED}`);
  if (!isInAny(real, context.roots)) {
    return refusal(`${real} is outside of the working directories: add it to them first, as with --add-dir.`);
  }
  return moveTo({ path: real, branch: found.branch ?? "", isOwn: false }, context);
}

async function moveTo(
  worktree: { path: string; branch: string; isOwn: boolean },
  context: ToolContext,
): Promise<ToolResult> {
  const { path, branch } = worktree;
  await setWorktree(context, { ...worktree, cwdBefore: context.cwd });
  context.setCwd(path);
  const on = branch === "" ? "" : ` on branch ${branch}`;
  return {
    content: `The session is now in the worktree ${path}${on}. Files are read and changed there; paths of before mean the other checkout.`,
    structured: { worktreePath: path, ...(branch === "" ? {} : { worktreeBranch: branch }) },
  };
}

const isInAny = (path: string, roots: readonly string[]): boolean => roots.some((root) => isInside(path, root));
