import { foldName, type Platform, type Reading, thisPlatform } from "./platform.ts";
import { matchesPieces, type Piece } from "./wildcard.ts";

/** A glob and whether it was written relative (`.env`, `src/**`): those of one segment match at any depth. */
export type PathGlob = { glob: string; isRelative: boolean };

/**
 * Whether a glob in gitignore's syntax matches a path relative to the glob's anchor.
 *
 * `*`, `?` and `[…]` stay within a segment, `**` crosses them; a glob that names a folder covers what is in it. Read widely,
 * case does not matter, a relative `dir/**` means a `dir` at any depth, and whatever lies below a match is covered too.
 */
export const matchesPathGlob = (glob: PathGlob, relativePath: string, reading: Reading, platform?: Platform): boolean =>
  globTest(glob, reading, platform)(relativePath);

/** `matchesPathGlob` of one glob, for many paths. */
export function globTest(
  { glob, isRelative }: PathGlob,
  reading: Reading,
  platform?: Platform,
): (relativePath: string) => boolean {
  const fold = (text: string) => foldName(text, reading, platform);
  const written = segmentsOf(glob);
  const namesOneSegment = written.length === 1 || (reading === "wide" && written.length === 2 && written[1] === "**");
  const coversBelow = reading === "wide" || !/[*?[]/.test(written.at(-1) ?? "");
  const segments = [
    ...(isRelative && namesOneSegment ? ["**"] : []),
    ...written.map(fold),
    ...(coversBelow ? ["**"] : []),
  ];
  const pieces = segments.map(segmentPiece);
  return (relativePath) => matchesPieces(pieces, foldedSegments(relativePath, reading, platform));
}

/** Of so many paths the folded segments are kept: one call's paths are compared with every rule. */
const MAX_KEPT = 2_000;
const kept = new Map<string, readonly string[]>();

function foldedSegments(path: string, reading: Reading, platform: Platform = thisPlatform): readonly string[] {
  const key = `${reading} ${platform} ${path}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const segments = segmentsOf(path).map((segment) => foldName(segment, reading, platform));
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, segments);
  return segments;
}

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "" && segment !== ".");

function segmentPiece(segment: string): Piece<string> {
  if (segment === "**") return "any";
  if (!/[*?[\\]/.test(segment)) return (name) => name === segment;
  const pieces = charPieces(segment);
  return (name) => matchesPieces(pieces, Array.from(name));
}

function charPieces(segment: string): Piece<string>[] {
  const chars = Array.from(segment);
  const pieces: Piece<string>[] = [];
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at];
    const classEnd = char === "[" ? chars.indexOf("]", at + 2) : -1;
    if (char === "*") pieces.push("any");
    else if (char === "?") pieces.push(() => true);
    else if (classEnd > 0) {
      pieces.push(classPiece(chars.slice(at + 1, classEnd)));
      at = classEnd;
    } else {
      const literal = char === "\\" && at + 1 < chars.length ? chars[++at] : char;
      pieces.push((other) => other === literal);
    }
  }
  return pieces;
}

/** Of `[abc]`, `[a-z]`, `[!a]`: what stands between the brackets. */
function classPiece(members: readonly string[]): Piece<string> {
  const isNegated = members[0] === "!" || members[0] === "^";
  const listed = isNegated ? members.slice(1) : members;
  return (char) => isListed(listed, char) !== isNegated;
}

function isListed(members: readonly string[], char: string): boolean {
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? "";
    const to = members[at + 1] === "-" ? members[at + 2] : undefined;
    if (to === undefined ? char === from : from <= char && char <= to) return true;
    if (to !== undefined) at += 2;
  }
  return false;
}
