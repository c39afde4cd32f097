import { dirname, join } from "node:path";
import { git } from "../../../shell/git.ts";
import type { ToolContext } from "../../tool.ts";

type Worktree = { path: string; branch: string | undefined };

type Where = Pick<ToolContext, "shell" | "cwd" | "signal">;

/** The main checkout of the repository around the current directory, or why there is none. Absolute real path. */
export async function mainCheckout({ shell, cwd, signal }: Where): Promise<{ root: string } | { error: string }> {
  const found = await git(shell, ["rev-parse", "--path-format=absolute", "--git-common-dir"], { cwd, signal });
  if (!found.ok) return { error: found.message };
  const folder = found.stdout.trim();
  if (!folder.endsWith("/.git")) return { error: `${folder} is bare, or a submodule's` };
  return { root: dirname(folder) };
}

/** Every checkout of the repository; the main one first. */
export async function worktreesOf(root: string, { shell, signal }: Where): Promise<Worktree[]> {
  const listed = await git(shell, ["worktree", "list", "--porcelain", "-z"], { cwd: root, signal });
  if (!listed.ok) return [];
  return listed.stdout
    .split("\0\0")
    .map((record) => Object.fromEntries(record.split("\0").map(fieldOf)))
    .flatMap(({ worktree, branch }) =>
      worktree === undefined ? [] : [{ path: worktree, branch: branch?.replace(/^refs\/heads\//, "") }],
    );
}

function fieldOf(line: string): [string, string] {
  const at = line.indexOf(" ");
  return at === -1 ? [line, ""] : [line.slice(0, at), line.slice(at + 1)];
}

/** Where this session's worktrees lie; everything in it is kept out of git. */
export const worktreesFolder = (root: string): string => join(root, ".pawl", "worktrees");

/** What would be lost with the worktree, in words; undefined when nothing would. */
export async function workIn(path: string, branch: string, { shell, signal }: Where): Promise<string | undefined> {
  const where = { cwd: path, signal };
  const status = await git(shell, ["status", "--porcelain", "--untracked-files=normal"], where);
  if (!status.ok) return `its state cannot be read (${status.message})`;
  const changed = status.stdout.split("\n").filter((line) => line !== "").length;
  if (changed > 0) return `${changed} changed or new ${changed === 1 ? "file" : "files"}`;
  // The worktree may stand elsewhere than on its branch, which goes with it all the same.
  return commitsOnlyOn(branch, ["HEAD"], { shell, ...where });
}

/** Commits of a branch, and of other `ends`, that nothing else has, in words; undefined when there are none. */
export async function commitsOnlyOn(
  branch: string,
  ends: readonly string[],
  { shell, cwd, signal }: Where,
): Promise<string | undefined> {
  const elsewhere = ["--not", `--exclude=${branch}`, "--branches", "--remotes", "--tags"];
  const own = ["--ignore-missing", ...ends, `refs/heads/${branch}`];
  const counted = await git(shell, ["rev-list", "--count", ...own, ...elsewhere], { cwd, signal });
  if (!counted.ok) return `commits that cannot be read (${counted.message})`;
  const commits = Number(counted.stdout.trim());
  return commits === 0 ? undefined : `${commits} ${commits === 1 ? "commit" : "commits"} that no other branch has`;
}
