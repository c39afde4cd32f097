/** A site as people write it, in the form of the look-up: lower case, without scheme and `www.`; undefined when it is none. */
export function domainOf(written: string): string | undefined {
  const bare = written
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/.*$/, "")
    .replace(/^\*?\./, "");
  if (bare === "" || /[\s@:?#\\*]/.test(bare) || !URL.canParse(`https://${bare}`)) return undefined;
  return new URL(`https://${bare}`).hostname.replace(/^www\./, "");
}

/** Whether an address is of the domain or one below it. */
export function isIn(address: string, domain: string): boolean {
  const { hostname } = new URL(address);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
