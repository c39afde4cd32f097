import { toLf } from "./line-endings.ts";
import { type FilePatch, type Hunk, hunkLine, patchError, withoutTrailingBlanks } from "./patch.ts";
import { isUnifiedDiff, parseUnifiedDiff } from "./unified-diff.ts";

const BEGIN = "*** Begin Patch";
const END = "*** End Patch";
const END_OF_FILE = "*** End of File";
const section = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
/** What models bring along from unified diffs: where the place should be, and no heading. */
const LINE_NUMBERS = /^-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@/;
const moveTo = /^\*\*\* Move to: (.+)$/;

/** Files that one patch may change. */
const MAX_PATCHED_FILES = 100;

/**
 * The parts of a patch, in the form that begins with `*** Begin Patch`, or of a unified diff. Throws PawlError `file_patch` that
 * names the line which is not understood.
 */
export function parsePatch(patch: string): FilePatch[] {
  const lines = toLf(patch).split("\n");
  const isSections = lines.find((line) => line.trim() !== "")?.trim() === BEGIN;
  const files = !isSections && isUnifiedDiff(lines) ? parseUnifiedDiff(lines) : parseSections(lines);
  if (files.length === 0) throw patchError("The patch changes no file.");
  if (files.length > MAX_PATCHED_FILES) {
    throw patchError(`The patch changes ${files.length} files; at most ${MAX_PATCHED_FILES} are changed at once.`);
  }
  requireEachOnce(files);
  return files;
}

function requireEachOnce(files: readonly FilePatch[]): void {
  const seen = new Set<string>();
  for (const path of files.flatMap(pathsOf)) {
    if (seen.has(path)) throw patchError(`The patch names ${path} twice. Put all changes of a file into one section.`);
    seen.add(path);
  }
}

/** Every path that a part of a patch writes or removes. */
export const pathsOf = (file: FilePatch): string[] =>
  file.type === "update" && file.moveTo !== undefined ? [file.path, file.moveTo] : [file.path];

function parseSections(lines: readonly string[]): FilePatch[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  if (lines[first]?.trim() !== BEGIN) throw patchError(`The first line of a patch is "${BEGIN}".`);
  if (lines[last]?.trim() !== END) throw patchError(`The last line of a patch is "${END}"; this one is cut off.`);
  const files: FilePatch[] = [];
  let at = first + 1;
  while (at < last) {
    const end = nextSection(lines, at + 1, last);
    if (lines[at]?.trim() !== "" || end > at + 1) files.push(parseSection(lines.slice(at, end), at));
    at = end;
  }
  return files;
}

function nextSection(lines: readonly string[], from: number, last: number): number {
  let at = from;
  while (at < last && !section.test(lines[at] ?? "")) at++;
  return at;
}

function parseSection([head = "", ...body]: readonly string[], at: number): FilePatch {
  const [, kind, name = ""] = section.exec(head) ?? [];
  const path = name.trim();
  switch (kind) {
    case "Add":
      return { type: "add", path, lines: addedLines(body, at + 1) };
    case "Delete":
      if (body.some((line) => line.trim() !== ""))
        throw notUnderstood(body[0], at + 1, "Nothing follows a Delete File");
      return { type: "delete", path };
    case "Update":
      return parseUpdate(path, body, at + 1);
    default:
      throw notUnderstood(
        head,
        at,
        'A section begins with "*** Add File: ", "*** Update File: " or "*** Delete File: "',
      );
  }
}

function addedLines(body: readonly string[], at: number): string[] {
  const last = body.findLastIndex((line) => line !== "");
  return body.slice(0, last + 1).map((line, index) => {
    if (!line.startsWith("+")) throw notUnderstood(line, at + index, "Every line of an added file begins with +");
    return line.slice(1);
  });
}

function parseUpdate(path: string, body: readonly string[], at: number): FilePatch {
  const target = moveTo.exec(body[0] ?? "")?.[1]?.trim();
  const skipped = target === undefined ? 0 : 1;
  const hunks = parseHunks(body.slice(skipped), at + skipped);
  if (hunks.length === 0 && target === undefined) throw patchError(`The section about ${path} changes nothing.`);
  return { type: "update", path, ...(target === undefined ? {} : { moveTo: target }), hunks };
}

function parseHunks(body: readonly string[], at: number): Hunk[] {
  const hunks: Hunk[] = [];
  let hunk: Hunk | undefined;
  for (const [index, line] of body.entries()) {
    if (line.startsWith("@@")) {
      const heading = line.slice(2).trim();
      if (hunk === undefined || hunk.lines.length > 0) {
        hunk = newHunk();
        hunks.push(hunk);
      }
      const [, start] = LINE_NUMBERS.exec(heading) ?? [];
      if (start !== undefined) hunk.line = Number(start);
      else if (heading !== "") hunk.headings.push(heading);
    } else if (line === END_OF_FILE) {
      if (hunk !== undefined) hunk.isAtEnd = true;
    } else {
      const parsed = hunkLine(line);
      if (parsed === undefined) throw notUnderstood(line, at + index, "A line of a change begins with a blank, - or +");
      if (hunk === undefined || hunk.isAtEnd) {
        hunk = newHunk();
        hunks.push(hunk);
      }
      hunk.lines.push(parsed);
    }
  }
  return hunks
    .filter(({ lines }) => lines.some(({ type }) => type !== "context"))
    .map((each) => ({ ...each, lines: withoutTrailingBlanks(each.lines) }));
}

const newHunk = (): Hunk => ({ headings: [], lines: [], isAtEnd: false });

const notUnderstood = (line: string | undefined, at: number, rule: string) =>
  patchError(`Line ${at + 1} of the patch is not understood: "${(line ?? "").slice(0, 200)}". ${rule}.`);
