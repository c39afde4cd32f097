import type { ChildRequest } from "./child.ts";
import { withoutNulRedirects } from "./nul-redirect.ts";
import { isHarmless } from "./plain-command.ts";

/**
 * What a shell is started with to run a command line.
 *
 * @param rc a script that defines what the user's rc file does; "" for none.
 * @param envFile a script of the user's or of hooks that sets variables; "" for none, and it need not be there.
 */
export function scriptFor(
  shell: string,
  command: string,
  rc: string,
  envFile: string,
): Pick<ChildRequest, "args" | "reportsCwd"> {
  // Such a command cannot move the shell: without the report bash becomes the program instead of starting it.
  if (rc === "" && envFile === "" && isHarmless(command)) return { args: ["-c", command], reportsCwd: false };
  const script = scripts[shell] ?? posixScript("\\pwd -P");
  return { args: ["-c", script, shell, rc, envFile, withoutNulRedirects(command)], reportsCwd: true };
}

/**
 * Runs the command in the shell itself and reports where the shell stands at its end, without a process more. The report
 * moves from descriptor 3, which scripts like to use, to 8. The arguments are cleared so that the command sees none.
 */
const posixScript = (pwd: string) =>
  `exec 8>&3 3>&-; trap '{ ${pwd} >&8; } 2>/dev/null' EXIT; ` +
  '[ -z "$1" ] || . "$1" >/dev/null 2>&1; [ ! -r "$2" ] || . "$2"; ' +
  '__pawl_command=$3; shift 3; eval "$__pawl_command"';

/** The user's own `pwd`, function or alias, is not asked. */
const scripts: Readonly<Record<string, string>> = {
  bash: posixScript("\\builtin pwd -P"),
  zsh: posixScript("\\builtin pwd -P"),
};
