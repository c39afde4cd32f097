/** Names of values that a list on a screen, or in a report to others, should not give away. */
const secretNames = /key|token|secret|passw|credential|auth|cookie|private/i;
/** What keys of services look like: a known beginning, or long and without a word in it. */
const secretValues =
  /^(?:sk-|ghp_|gho_|github_pat_|glpat-|xox[abp]-|AKIA|AIza|eyJ)|^(?=.*\d)(?=.*[A-Za-z])[\w+/=-]{32,}$/;

const HIDDEN = "(hidden)";

/** The value without what looks like a key or a password, by its name or by itself; `name` is what it stands under. */
export function masked(name: string, value: unknown): unknown {
  if (typeof value === "string") {
    const isNamed = secretNames.test(name) && !/^https?:\/\/[^@]*$|^\d*$/.test(value);
    return value !== "" && (isNamed || secretValues.test(value)) ? HIDDEN : value;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => masked(name, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, masked(key, inner)]));
}
