import { PawlError } from "../lib/error.ts";
import type { Shell } from "../shell/shell.ts";

/** A helper may ask a vault or a log-in service; longer than this it has hung. Milliseconds. */
const HELPER_TIMEOUT_MS = 30_000;
/** From then on the user is told what is waited for. Milliseconds. */
const SLOW_HELPER_MS = 3_000;
/** A key is used so long before the helper is asked again. Milliseconds. */
const KEY_TTL_MS = 5 * 60_000;
const MAX_KEY_BYTES = 16 * 1024;
const MAX_SHOWN_CHARS = 200;

type ApiKeyHelper = {
  /** The key; what the command prints is kept for a while, and longer while it fails. @throws PawlError `api_key_helper`. */
  key(signal: AbortSignal): Promise<string>;
  /** Told when the command takes long. One listener: the session's. */
  onWait(listener: (text: string) => void): void;
  /** Forgets the key, so that the next request asks for another. */
  forget(): void;
};

/** The key for the model out of a shell command's output. */
export function apiKeyHelper(
  command: string,
  shell: Pick<Shell, "run">,
  cwd: string,
  ttlMs = KEY_TTL_MS,
  now: () => number = () => performance.now(),
): ApiKeyHelper {
  let kept: string | undefined;
  let askedAt = 0;
  let tell: (text: string) => void = () => {};
  return {
    async key(signal) {
      if (kept !== undefined && now() - askedAt < ttlMs) return kept;
      const before = kept;
      const slow = setTimeout(() => tell(WAITING), SLOW_HELPER_MS);
      const asked = askedFor(command, shell, cwd, signal).finally(() => clearTimeout(slow));
      const key = await asked.catch((error: unknown) => {
        // The key may well be good still: whether it is the provider says, and then the helper's error is shown.
        if (before === undefined) throw error;
        return before;
      });
      kept = key;
      askedAt = now();
      return key;
    },
    onWait(listener) {
      tell = listener;
    },
    forget() {
      kept = undefined;
    },
  };
}

const WAITING = `waiting for apiKeyHelper, which gives the key for the model: at most ${HELPER_TIMEOUT_MS / 1000} s`;

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
