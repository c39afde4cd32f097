import type { AssignedVariable } from "./simple-command.ts";

/** Builtins after which a later command may be another one: none of them is judged, each is asked about. */
export const changesMeaning: ReadonlySet<string> = new Set(
  (
    "alias unalias enable hash source . set shopt setopt unsetopt emulate autoload zmodload zle bindkey compdef functions " +
    "disable trap complete compgen compopt bind fc declare typeset local readonly unset unfunction let mapfile readarray " +
    "getopts ulimit umask suspend sched print vared zcompile zparseopts zstyle history float integer coproc repeat"
  ).split(" "),
);

/** Variables that change how a program speaks, not what it runs. */
const harmlessVariables: ReadonlySet<string> = new Set(
  (
    "NODE_ENV LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES LC_COLLATE LC_NUMERIC LC_TIME TZ TERM NO_COLOR " +
    "FORCE_COLOR CLICOLOR CI DEBUG RUST_BACKTRACE"
  ).split(" "),
);

/** Numbers to zsh, which evaluates what is put into them: the value of a name in it, and a subscript in that. */
const numbersOfZsh: ReadonlySet<string> = new Set(
  (
    "COLUMNS LINES HISTSIZE SAVEHIST KEYTIMEOUT LISTMAX LOGCHECK MAILCHECK REPORTTIME REPORTMEMORY DIRSTACKSIZE TMOUT " +
    "FUNCNEST OPTIND SHLVL ERRNO EUID GID EGID TRY_BLOCK_ERROR TRY_BLOCK_INTERRUPT BAUD"
  ).split(" "),
);

/** Whether a command with this before it runs as it would without; a language or time zone may be a file elsewhere. */
export function isHarmlessAssignment({ name, value: { value } }: AssignedVariable): boolean {
  if (name === "COLUMNS" || name === "LINES") return /^\d+$/.test(value);
  return harmlessVariables.has(name) && !/^:?\/|\.\.|\0/.test(value);
}

/** Lower-case names that a shell or a program gives a meaning to. */
const specialLowerCase: ReadonlySet<string> = new Set(
  (
    "path fpath cdpath manpath mailpath module_path prompt psvar watch argv status pipestatus histchars signals functions " +
    "commands aliases galiases saliases options parameters dirstack mailpath http_proxy https_proxy ftp_proxy all_proxy " +
    "no_proxy fignore keymaps widgets nameddirs userdirs modules reswords patchars langinfo errnos sysparams mapfile"
  ).split(" "),
);

/** Settings of package managers that are variables. */
const ofPackageManagers = /^(?:npm|pnpm|yarn|bun|pip|cargo)_/;

/** Whether the rest of a command line runs the same whatever this variable holds. */
export const mayBeSet = (variable: string): boolean =>
  harmlessVariables.has(variable) ||
  (/^[a-z][a-z0-9_]*$/.test(variable) && !specialLowerCase.has(variable) && !ofPackageManagers.test(variable));

/** Whether a variable decides which program a name stands for, or makes every program run something. */
export const decidesPrograms = (variable: string): boolean =>
  /^(?:LD_|DYLD_|BASH_FUNC)/.test(variable) ||
  codeVariables.has(variable) ||
  numbersOfZsh.has(variable) ||
  specialLowerCase.has(variable);

const codeVariables: ReadonlySet<string> = new Set(
  (
    "PATH BASH_ENV ENV IFS PS4 PROMPT_COMMAND SHELLOPTS BASHOPTS CDPATH GLOBIGNORE HOME PWD OLDPWD ZDOTDIR NULLCMD " +
    "READNULLCMD FPATH MODULE_PATH POSIXLY_CORRECT BASH_XTRACEFD BASH_ALIASES BASH_CMDS RANDOM SECONDS UID"
  ).split(" "),
);

/** Programs that take a script and run it. */
export const shells: ReadonlySet<string> = new Set("sh bash zsh dash ksh ash mksh yash fish rbash".split(" "));

/** Programs that, without a word more, run what comes from their standard input. */
export const interpreters: ReadonlySet<string> = new Set(
  "python python2 python3 perl ruby node deno bun php lua tclsh osascript pwsh at batch".split(" "),
);
