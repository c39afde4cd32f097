import { git } from "../../shell/git.ts";
import { defineTool } from "../define-tool.ts";
import type { ToolContext } from "../tool.ts";
import { refusal } from "./error-result.ts";
import { type CurrentWorktree, currentWorktree, setWorktree } from "./worktree/current-worktree.ts";
import { commitsOnlyOn, mainCheckout, workIn } from "./worktree/repository.ts";

export const exitWorktreeTool = defineTool({
  name: "ExitWorktree",
  description: `Goes back from the worktree to where the session was before.

- "keep" leaves the worktree and its branch. "remove" takes both away, and refuses when work in them would be lost.
- discard_changes removes them all the same: only when the user has said so.`,
  inputSchema: {
    type: "object",
    properties: {
      action: { type: "string", enum: ["keep", "remove"] },
      discard_changes: { type: "boolean", default: false },
    },
    required: ["action"],
    additionalProperties: false,
  },
  maxResultChars: 50_000,
  isReadOnly: ({ action }) => action === "keep",
  isConcurrencySafe: () => false,
  touches: () => [{ type: "other" }],
  async run({ action, discard_changes: discards = false }, context) {
    const worktree = currentWorktree(context);
    if (worktree === undefined) return refusal("The session is in no worktree: there is nothing to go back from.");
    const { path, branch, cwdBefore } = worktree;
    const left = action === "keep" ? await keep(worktree, context) : await remove(worktree, discards, context);
    if (typeof left !== "string") return refusal(left.obstacle);
    const back = await placeToGoBack(cwdBefore, context);
    await setWorktree(context, null);
    context.setCwd(back);
    return {
      content: `${left} The session is back in ${back}.`,
      structured: { action, worktreePath: path, ...(branch === "" ? {} : { worktreeBranch: branch }) },
    };
  },
});

/** Where the session stood, or where it began when that folder is gone. */
async function placeToGoBack(cwdBefore: string, { files, roots }: ToolContext): Promise<string> {
  const isThere = (await files.stat(cwdBefore))?.isDirectory === true;
  return isThere ? cwdBefore : (roots[0] ?? cwdBefore);
}

const isGone = async (path: string, { files }: ToolContext) => (await files.stat(path)) === undefined;

async function keep({ path, branch }: CurrentWorktree, context: ToolContext): Promise<string> {
  if (!(await isGone(path, context))) return `The worktree ${path} is kept.`;
  return `The worktree ${path} is gone.${branch === "" ? "" : ` Its branch ${branch} is kept.`}`;
}

/** What became of it in a sentence, or why it stays. */
async function remove(
  worktree: CurrentWorktree,
  discards: boolean,
  context: ToolContext,
): Promise<string | { obstacle: string }> {
  const { path, branch, cwdBefore, isOwn } = worktree;
  if (!isOwn) return { obstacle: `${path} was not made by this session, which does not remove it: use "keep".` };
  const checkout = await mainCheckout({ ...context, cwd: await placeToGoBack(cwdBefore, context) });
  if (await isGone(path, context)) {
    if ("error" in checkout) return `The worktree ${path} was gone already.`;
    return forget(worktree, discards, { ...context, cwd: checkout.root });
  }
  if ("error" in checkout) return { obstacle: `The repository cannot be used: ${checkout.error}` };
  const lost = discards ? undefined : await workIn(path, branch, context);
  if (lost !== undefined) return { obstacle: `The worktree has ${lost}. ${KEEP_IT}` };
  const where = { cwd: checkout.root, signal: context.signal };
  const removed = await git(context.shell, ["worktree", "remove", ...(discards ? ["--force"] : []), path], where);
  if (!removed.ok) return { obstacle: `The worktree could not be removed: ${removed.message}` };
  const deleted = await git(context.shell, ["branch", "-D", branch], where);
  return deleted.ok
    ? `The worktree ${path} and its branch ${branch} are removed.`
    : `The worktree ${path} is removed, but not its branch ${branch}: ${deleted.message}`;
}

const KEEP_IT = 'Commit or merge it, use "keep", or ask the user before you discard it with discard_changes.';

/** Its folder is gone, but git still knows of it; its branch goes only when nothing is lost with it. `context.cwd`: the main checkout. */
async function forget({ path, branch }: CurrentWorktree, discards: boolean, context: ToolContext): Promise<string> {
  const { shell, cwd, signal } = context;
  await git(shell, ["worktree", "remove", "--force", path], { cwd, signal }); // it may be forgotten already
  const lost = discards ? undefined : await commitsOnlyOn(branch, [], context);
  if (lost !== undefined) return `The worktree ${path} was gone already. Its branch ${branch} is kept: it has ${lost}.`;
  const deleted = await git(shell, ["branch", "-D", branch], { cwd, signal });
  return deleted.ok
    ? `The worktree ${path} was gone already, and its branch ${branch} is removed.`
    : `The worktree ${path} was gone already.`;
}
