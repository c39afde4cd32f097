/**
 * Letters to add, leave out or change to make one text of the other.
 *
 * @param most it is counted no further than this: texts that differ more give `most + 1`, sooner.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at++) {
    row = nextRow(row, one.charAt(at - 1), other, at);
    if (Math.min(...row) > most) return most + 1;
  }
  return row[other.length] ?? 0;
}

/** The distances of one letter more to each beginning of `other`. */
function nextRow(row: readonly number[], letter: string, other: string, first: number): number[] {
  const next = [first];
  for (let at = 1; at <= other.length; at++) {
    const changed = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
    next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
  }
  return next;
}

/** Two letters that have changed places are two. */
const MAX_SLIPS = 2;
const MIN_CHARS_FOR_TWO_SLIPS = 4;

/**
 * The name that a text was likely meant to be: the one that differs least, letter case aside.
 *
 * @param minCharsForTwo a text of fewer letters may differ in one of them, others in two.
 */
export function nearestName(
  text: string,
  names: Iterable<string>,
  minCharsForTwo = MIN_CHARS_FOR_TWO_SLIPS,
): string | undefined {
  const most = text.length < minCharsForTwo ? 1 : MAX_SLIPS;
  return [...names]
    .map((name) => ({ name, slips: editDistance(text.toLowerCase(), name.toLowerCase(), MAX_SLIPS) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips)[0]?.name;
}
