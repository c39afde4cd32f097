/** How many pages it takes to show so many entries. */
export function pageCount(entries, pageSize) {
  return Math.floor(entries / pageSize);
}

/** The entries of one page. Pages count from 1. */
export function pageOf(list, page, pageSize) {
  const start = (page - 1) * pageSize;
  return list.slice(start, start + pageSize);
}
