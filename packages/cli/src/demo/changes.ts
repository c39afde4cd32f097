import { readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";

/** The text of every file under a folder, by relative path. */
export async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths.map(async (path) => [relative(folder, path), await readFile(path, "utf8")] as const),
  );
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** A unified diff of what differs, empty when nothing does. */
export async function changesBetween(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths
    .filter((path) => before.get(path) !== after.get(path))
    .map((path) => {
      const [oldName, newName] = [nameIn(before, path, "a"), nameIn(after, path, "b")];
      const options = { headerOptions: FILE_HEADERS_ONLY };
      return createTwoFilesPatch(
        oldName,
        newName,
        before.get(path) ?? "",
        after.get(path) ?? "",
        undefined,
        undefined,
        options,
      );
    })
    .join("");
}

const nameIn = (files: ReadonlyMap<string, string>, path: string, side: string) =>
  files.has(path) ? `${side}/${path}` : "/dev/null";
