/** How long a page counts as fresh. Milliseconds. */
const LIFETIME_MS = 15 * 60_000;
const MAX_PAGES = 50;
/** Of all pages together. Characters. */
const MAX_CHARS = 20_000_000;

/** `isText`: `text` is what the page says, and not about a page that says nothing. */
export type CachedPage = { url: string; code: number; codeText: string; bytes: number; text: string; isText: boolean };

/** Pages by the address that was asked for; the oldest go first. */
type PageCache = {
  get(url: string, now: number): CachedPage | undefined;
  set(url: string, page: CachedPage, now: number): void;
};

export function createPageCache(): PageCache {
  const pages = new Map<string, { page: CachedPage; at: number }>();
  return {
    get(url, now) {
      const found = pages.get(url);
      if (found === undefined || now - found.at < LIFETIME_MS) return found?.page;
      pages.delete(url);
      return undefined;
    },
    set(url, page, now) {
      pages.delete(url);
      pages.set(url, { page, at: now });
      let chars = [...pages.values()].reduce((total, each) => total + each.page.text.length, 0);
      for (const [oldest, each] of pages) {
        if (pages.size <= MAX_PAGES && chars <= MAX_CHARS) return;
        pages.delete(oldest);
        chars -= each.page.text.length;
      }
    },
  };
}
