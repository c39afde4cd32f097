/** Of one call. */
export const MAX_PAGES = 20;
/** Of a document that is read without `pages`. */
export const MAX_WHOLE_PAGES = 10;
/** Pages counted from 1, both ends included. */
export type PageRange = { first: number; last: number };

/** The pages that are wanted, or why they cannot be given. */
export function pageRange(pages: string | undefined, pageCount: number): PageRange | string {
  if (pageCount === 0) return "the PDF has no pages.";
  if (pages === undefined || pages.trim() === "") {
    if (pageCount <= MAX_WHOLE_PAGES) return { first: 1, last: pageCount };
    return `the PDF has ${pageCount} pages, too many to be read at once. Set pages, such as "1-5", at most ${MAX_PAGES} a call.`;
  }
  const [, from = "", to = from] = /^\s*(\d{1,6})\s*(?:-\s*(\d{1,6})\s*)?$/.exec(pages) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (first < 1 || last < first) return `pages is "${pages}"; write a page such as "3", or a range such as "1-5".`;
  if (last - first >= MAX_PAGES)
    return `pages "${pages}" are ${last - first + 1}; at most ${MAX_PAGES} are given a call.`;
  if (first > pageCount) return `the PDF has ${pageCount} pages; page ${first} is past its end.`;
  return { first, last: Math.min(last, pageCount) };
}
