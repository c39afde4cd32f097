import type { Shell } from "./shell.ts";

/** One command of git for the engine itself. Milliseconds. */
const GIT_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

/** Whatever the repository's configuration says, these commands start no hook, no watcher and no other program. */
const plain = [
  ...["-c", "core.hooksPath=/dev/null"],
  ...["-c", "core.fsmonitor=false"],
  ...["-c", "core.sshCommand=false"],
  ...["-c", "commit.gpgSign=false"],
  ...["-c", "protocol.ext.allow=never"],
];

type GitResult = { ok: true; stdout: string } | { ok: false; message: string };

/** Runs git in `cwd` for the engine's own use. Filters that a checkout names still run: they make the files what they are. */
export async function git(
  shell: Pick<Shell, "exec">,
  args: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<GitResult> {
  const request = { cwd, signal, timeoutMs: GIT_TIMEOUT_MS, maxOutputBytes: MAX_OUTPUT_BYTES };
  const result = await shell.exec({ ...request, file: "git", args: [...plain, ...args], keep: "head" });
  if (result.failure !== undefined) return failed(`git could not be started: ${result.failure}`);
  if (result.aborted) return failed("it was interrupted");
  if (result.timedOut) return failed(`git took more than ${GIT_TIMEOUT_MS / 1000} s`);
  if (result.exitCode === 0) return { ok: true, stdout: result.stdout };
  return failed(result.stderr.trim() || `git ended with code ${result.exitCode}`);
}

const failed = (message: string): GitResult => ({ ok: false, message });
