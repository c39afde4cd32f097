export type Environment = Readonly<Record<string, string | undefined>>;

/** Marks every process of one call, so that those that left its group and its parents are found. */
export const CALL_MARKER = "PAWL_CALL";

/**
 * What the engine itself presents to its model provider, or to who searches the web for it. A command that the model wrote
 * has no business with it: one `env` in a log would give it away. Keys of other services belong to the user's project and
 * are passed on.
 */
const providerKeys: readonly string[] = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "ANTHROPIC_CUSTOM_HEADERS",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "PAWL_API_KEY",
  "PAWL_AUTH_TOKEN",
  "PAWL_CUSTOM_HEADERS",
  "PAWL_SEARCH_KEY",
];

/** Nobody is there to answer: a program that would page, edit or ask goes on at once, or fails and says why. */
const nonInteractive: Environment = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  SYSTEMD_PAGER: "cat",
  // An editor that changes nothing: `git rebase --continue` keeps the message it proposes.
  EDITOR: "true",
  VISUAL: "true",
  GIT_EDITOR: "true",
  GIT_SEQUENCE_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  // `git status` only looks: it does not write the index.
  GIT_OPTIONAL_LOCKS: "0",
  GCM_INTERACTIVE: "never",
  // These programs would open a window.
  GIT_ASKPASS: undefined,
  SSH_ASKPASS: undefined,
  SUDO_ASKPASS: undefined,
  SSH_ASKPASS_REQUIRE: "never",
  DEBIAN_FRONTEND: "noninteractive",
  // A file that every shell would run first, which may be one of the folder's.
  BASH_ENV: undefined,
  ENV: undefined,
  // With it `cd src` may lead to another folder than the one that the command was judged by.
  CDPATH: undefined,
};

const ownNames: Environment = { PAWL: "1", CLAUDECODE: "1", CLAUDE_CODE_CHILD_SESSION: "1" };

/** The variables that all children of one shell share. */
export function childEnvironment(env: Environment, passProviderKeys: boolean): Environment {
  const shared: Record<string, string | undefined> = { ...env, ...nonInteractive, ...ownNames };
  if (!passProviderKeys) for (const name of providerKeys) shared[name] = undefined;
  return Object.fromEntries(
    Object.entries(shared).filter(([name, value]) => value !== undefined && !isShellFunction(name)),
  );
}

/** bash takes a function from such a variable, whatever it is called: `ls` would not be `ls` any more. */
const isShellFunction = (name: string): boolean => name.startsWith("BASH_FUNC_");

/** A call inside a call of another engine keeps the outer marker as its beginning, so that the outer one finds it too. */
export function callMarker(env: Environment, id: string): string {
  const outer = env[CALL_MARKER];
  return outer === undefined || outer === "" ? id : `${outer}.${id}`;
}
