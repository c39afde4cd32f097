import { existsSync } from "node:fs";
import { mkdir, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { type Child, type ChildRequest, startChild } from "./child.ts";

/** An rc file that takes longer is done without. Milliseconds. */
const RC_TIMEOUT_MS = 5_000;
/** More than this is not an environment that anybody wrote. Bytes. */
const MAX_SNAPSHOT_BYTES = 4 * 1024 * 1024;
const END = "# end of snapshot";
const NO_OUTPUT_BYTES = 1_000;

/** What the rc file of the user's shell defines, as a script to run before each command; or why there is none. */
export type RcSnapshot = { path?: string; notice?: string };

type RcRequest = Pick<ChildRequest, "cwd" | "env" | "marker"> & {
  shellPath: string;
  /** Where the script is put. */
  path: string;
  /** The rc file must not wait longer than its caller. */
  onStart(child: Child): void;
  timeoutMs?: number;
  /** What of the search path that the rc file sets may be used; default all of it. */
  cleanPath?: ((path: string) => string | undefined) | undefined;
};

/** Runs the rc file once, in an interactive shell as it expects, and keeps its aliases, functions, options and PATH. */
export async function takeRcSnapshot(request: RcRequest): Promise<RcSnapshot> {
  const { shellPath, path, env, onStart, timeoutMs = RC_TIMEOUT_MS } = request;
  const rc = rcFileOf(shellPath, env);
  const dump = dumps[basename(shellPath)];
  if (rc === undefined || dump === undefined || !existsSync(rc)) return {};
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const child = startChild({
    file: shellPath,
    args: ["-i", "-c", dump, "pawl", path],
    cwd: request.cwd,
    env: { ...env, HISTFILE: "/dev/null" },
    marker: request.marker,
    timeoutMs,
    maxOutputBytes: NO_OUTPUT_BYTES,
    keep: "head",
    reportsCwd: false,
  });
  onStart(child);
  const { timedOut, aborted } = await child.result;
  // An interactive shell outlives TERM and goes on where its rc file hung: what it gives then is not what the file makes.
  if (!timedOut && (await isWhole(path))) {
    if (request.cleanPath !== undefined) await cleanSearchPath(path, request.cleanPath);
    return { path };
  }
  await rm(path, { force: true });
  if (aborted) return {};
  const why = timedOut ? `did not end within ${timeoutMs / 1_000} s` : "could not be run to its end";
  return { notice: `${rc} ${why}: commands run without its aliases, functions and PATH.` };
}

function rcFileOf(shellPath: string, env: RcRequest["env"]): string | undefined {
  const home = env["HOME"];
  const folder = basename(shellPath) === "zsh" ? (env["ZDOTDIR"] ?? home) : home;
  if (folder === undefined || folder === "") return undefined;
  return join(folder, basename(shellPath) === "zsh" ? ".zshrc" : ".bashrc");
}

const SEARCH_PATH = "\nexport PATH=";

/** Puts the allowed part of the search path into the script; one that is quoted in no simple way is left out. */
async function cleanSearchPath(script: string, cleanPath: (path: string) => string | undefined): Promise<void> {
  const text = await readFile(script, "utf8");
  const at = text.lastIndexOf(SEARCH_PATH);
  const end = text.indexOf("\n", at + 1);
  if (at === -1 || end === -1) return;
  const quoted = text.slice(at + SEARCH_PATH.length, end);
  const path = /['"$`]/.test(quoted) ? undefined : cleanPath(quoted.replace(/\\(.)/g, "$1"));
  const line = path === undefined ? "" : `${SEARCH_PATH}'${path.replaceAll("'", "'\\''")}'`;
  await writeFile(script, text.slice(0, at) + line + text.slice(end));
}

async function isWhole(path: string): Promise<boolean> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size < END.length || size > MAX_SNAPSHOT_BYTES) return false;
  const file = await open(path, "r");
  try {
    const { buffer } = await file.read(Buffer.alloc(END.length), 0, END.length, size - END.length);
    return buffer.toString() === END;
  } finally {
    await file.close();
  }
}

/** By builtins alone: an rc file may have made something else of any program. Options of interactive shells stay out. */
const dumps: Readonly<Record<string, string>> = {
  bash: `{
builtin echo 'shopt -s expand_aliases'
for __pawl in extglob globstar nullglob dotglob nocaseglob failglob nocasematch; do builtin shopt -p "$__pawl"; done
builtin set +o | while builtin read -r __pawl; do case $__pawl in *noclobber|*noglob|*pipefail|*braceexpand) builtin echo "$__pawl";; esac; done
builtin declare -f
builtin alias -p
builtin printf 'export PATH=%q\\n' "$PATH"
builtin printf '%s' '${END}'
} >|"$1" 2>/dev/null`,
  // zsh has aliases of its own, and takes no function of an alias's name.
  zsh: `{
builtin echo "unalias -m '*'"
for __pawl in extendedglob nullglob globdots ksharrays shwordsplit caseglob nomatch pipefail clobber; do
  if [[ -o $__pawl ]]; then builtin echo "setopt $__pawl"; else builtin echo "unsetopt $__pawl"; fi
done
builtin functions
builtin alias -L
builtin print -r -- "export PATH=\${(q)PATH}"
builtin printf '%s' '${END}'
} >|"$1" 2>/dev/null`,
};
