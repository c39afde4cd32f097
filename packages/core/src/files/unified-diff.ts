import { unquoted } from "./git-quoted-name.ts";
import { type FilePatch, type Hunk, hunkLine, patchError } from "./patch.ts";

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$/;
const NOWHERE = "/dev/null";

/** Whether a text is a unified diff, as `diff -u` and `git diff` make it. */
export const isUnifiedDiff = (lines: readonly string[]): boolean =>
  lines.some((line, at) => line.startsWith("--- ") && lines[at + 1]?.startsWith("+++ ")) ||
  lines.some((line, at) => line.startsWith("rename from ") && lines[at + 1]?.startsWith("rename to "));

/** Throws PawlError `file_patch` for what is not understood. */
export function parseUnifiedDiff(lines: readonly string[]): FilePatch[] {
  const files: FilePatch[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? "";
    const next = lines[at + 1] ?? "";
    if (line.startsWith("Binary files ") || line === "GIT binary patch")
      throw patchError("Binary changes are not supported.");
    if (line.startsWith("rename from ") && next.startsWith("rename to ")) {
      at += 2;
      if (!isFollowedByHunks(lines, at)) {
        files.push({ type: "update", path: unquoted(line.slice(12)), moveTo: unquoted(next.slice(10)), hunks: [] });
      }
    } else if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      const hunks: Hunk[] = [];
      for (at += 2; HUNK.test(lines[at] ?? ""); ) at = readHunk(lines, at, hunks);
      files.push(filePatch(nameOf(line), nameOf(next), hunks));
    } else if (line.startsWith("@@")) {
      throw patchError(`Line ${at + 1} of the diff is not understood: "${line.slice(0, 200)}". Write @@ -1,3 +1,4 @@.`);
    } else at++;
  }
  return files;
}

function isFollowedByHunks(lines: readonly string[], from: number): boolean {
  const next = lines.slice(from).find((line) => line.startsWith("--- ") || line.startsWith("diff "));
  return next?.startsWith("--- ") === true;
}

/** Without the time that `diff -u` adds. */
const nameOf = (line: string) => unquoted(line.slice(4).split("\t")[0]?.trim() ?? "");

function filePatch(before: string, after: string, hunks: Hunk[]): FilePatch {
  const isPrefixed = [before, after].every((name) => name === NOWHERE || /^[a-z]\//.test(name));
  const [from, to] = [before, after].map((name) => (isPrefixed && name !== NOWHERE ? name.slice(2) : name));
  if (from === undefined || to === undefined) throw patchError("A diff names a file before and after.");
  if (to === NOWHERE) return { type: "delete", path: from };
  if (from === NOWHERE) {
    return { type: "add", path: to, lines: hunks.flatMap(({ lines }) => lines.map(({ text }) => text)) };
  }
  return { type: "update", path: from, ...(to === from ? {} : { moveTo: to }), hunks };
}

/** Reads the hunk at `at` and gives the line after it. */
function readHunk(lines: readonly string[], start: number, hunks: Hunk[]): number {
  const [, oldStart = "1", oldCount = "1", , newCount = "1"] = HUNK.exec(lines[start] ?? "") ?? [];
  const left = { old: Number(oldCount), new: Number(newCount) };
  const hunk: Hunk = { headings: [], lines: [], isAtEnd: false, line: Number(oldStart) + (oldCount === "0" ? 1 : 0) };
  let at = start + 1;
  while ((left.old > 0 || left.new > 0) && at < lines.length) {
    const line = lines[at++] ?? "";
    if (line.startsWith("\\")) continue; // "No newline at end of file": the file keeps what it has
    const parsed = hunkLine(line);
    if (parsed === undefined) break;
    hunk.lines.push(parsed);
    if (parsed.type !== "add") left.old--;
    if (parsed.type !== "remove") left.new--;
  }
  if (left.old !== 0 || left.new !== 0) {
    throw patchError(
      `The hunk at line ${start + 1} of the diff has other numbers of lines than it says: "${lines[start]}".`,
    );
  }
  hunks.push(hunk);
  while (lines[at]?.startsWith("\\")) at++;
  return at;
}
