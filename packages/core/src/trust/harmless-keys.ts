const always = () => true;
const isTrue = (value: unknown) => value === true;
const isDisabling = (value: unknown) => value === "disable";
/** Modes in which not more happens than the user's own would allow. */
const careful: readonly unknown[] = ["default", "manual", "plan", "dontAsk"];

/**
 * What a folder may say without consent: it takes away, or it is text for eyes. Everything else may run, reach out, cost,
 * write or grant something, and so may keys that are not known here: this is a list of the harmless, not of the dangerous.
 */
const harmless: Readonly<Record<string, (value: unknown) => boolean>> = {
  "permissions.deny": always,
  "permissions.ask": always,
  "permissions.disableBypassPermissionsMode": isDisabling,
  "permissions.disableAutoMode": isDisabling,
  "permissions.defaultMode": (value) => careful.includes(value),
  deniedMcpServers: always,
  disabledMcpjsonServers: always,
  blockedMarketplaces: always,
  disableSkillShellExecution: isTrue,
  language: always,
  includeCoAuthoredBy: always,
  includeGitInstructions: always,
  respectGitignore: isTrue,
};

/** Whether a key of a folder's settings (`permissions.deny`) may be used before anybody has consented. */
export function isHarmless(key: string, value: unknown): boolean {
  if (key.startsWith("$")) return true;
  return Object.hasOwn(harmless, key) && harmless[key]?.(value) === true;
}
