type Env = Readonly<Record<string, string | undefined>>;

/** Our own name first, then the public ones. */
const prefixes = ["PAWL_", "CLAUDE_CODE_", "CLAUDE_", "ANTHROPIC_"] as const;

/** The variable of that name without its prefix, such as `API_KEY`. An empty one counts as not set. */
export const envVar = (env: Env, name: string): string | undefined => envVarNamed(env, name)?.value;

/** The same with its whole name. */
export function envVarNamed(env: Env, suffix: string): { name: string; value: string } | undefined {
  for (const prefix of prefixes) {
    const value = env[prefix + suffix];
    if (value !== undefined && value !== "") return { name: prefix + suffix, value };
  }
  return undefined;
}
