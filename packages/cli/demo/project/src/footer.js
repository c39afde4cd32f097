import { pageCount } from "./pages.js";

/** What stands below a list, such as "Page 2 of 3". */
export function footer(page, entries, pageSize) {
  return `Page ${page} of ${pageCount(entries, pageSize)}`;
}
