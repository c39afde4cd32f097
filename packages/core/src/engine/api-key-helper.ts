import { PawlError } from "../lib/error.ts";
import type { Shell } from "../shell/shell.ts";

/** A helper may ask a vault or a log-in service; longer than this it has hung. Milliseconds. */
const HELPER_TIMEOUT_MS = 30_000;
const MAX_KEY_BYTES = 16 * 1024;
const MAX_SHOWN_CHARS = 200;

export type ApiKeyHelper = {
  /** The key; the command runs once and what it prints is kept. @throws PawlError `api_key_helper`. */
  key(signal: AbortSignal): Promise<string>;
  /** Forgets the key, so that the next request asks for another. */
  forget(): void;
};

/** The key for the model out of a shell command's output. */
export function apiKeyHelper(command: string, shell: Pick<Shell, "run">, cwd: string): ApiKeyHelper {
  let kept: string | undefined;
  return {
    async key(signal) {
      kept ??= await askedFor(command, shell, cwd, signal);
      return kept;
    },
    forget() {
      kept = undefined;
    },
  };
}

/** What the command prints is never shown: it may be half of a key. */
async function askedFor(command: string, shell: Pick<Shell, "run">, cwd: string, signal: AbortSignal): Promise<string> {
  const result = await shell.run({
    command,
    cwd,
    signal,
    timeoutMs: HELPER_TIMEOUT_MS,
    maxOutputBytes: MAX_KEY_BYTES,
    keep: "head",
  });
  const key = result.stdout.trim();
  const fault = faultOf(result, key);
  if (fault === undefined) return key;
  throw new PawlError("api_key_helper", `apiKeyHelper ${fault}; run the command by hand to see why`);
}

function faultOf(result: Awaited<ReturnType<Shell["run"]>>, key: string): string | undefined {
  if (result.failure !== undefined) return `did not start: ${result.failure}`;
  if (result.timedOut) return `did not end within ${HELPER_TIMEOUT_MS / 1000} s`;
  if (result.exitCode !== 0) return `ended with ${result.exitCode ?? result.killedBy}${saidOn(result.stderr)}`;
  return key === "" ? "printed nothing" : undefined;
}

function saidOn(stderr: string): string {
  const text = stderr.trim();
  return text === "" ? "" : `: ${text.slice(0, MAX_SHOWN_CHARS).toWellFormed()}`;
}
