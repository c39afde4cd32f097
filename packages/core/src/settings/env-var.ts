type Env = Readonly<Record<string, string | undefined>>;

/** Our own name first, then the public ones. */
const prefixes = ["PAWL_", "CLAUDE_CODE_", "CLAUDE_", "ANTHROPIC_"] as const;

/** The variable of that name without its prefix, such as `API_KEY`. An empty one counts as not set. */
export function envVar(env: Env, name: string): string | undefined {
  for (const prefix of prefixes) {
    const value = env[prefix + name];
    if (value !== undefined && value !== "") return value;
  }
  return undefined;
}
