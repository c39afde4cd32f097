import { join, resolve } from "node:path";
import { sha256 } from "../files/hash.ts";
import { isInside } from "../lib/is-inside.ts";
import { textsWithin } from "../settings/check-value.ts";
import { bytesOf } from "./bytes-of.ts";
import type { FolderItem } from "./folder-item.ts";

/** More files than these are not looked at; a larger one counts by its name alone. */
const MAX_SCRIPTS = 200;
const MAX_SCRIPT_BYTES = 8 * 1024 * 1024;

/** The files inside the folder that commands and variables name: when one changes, something else runs than was consented to. */
export async function namedScripts(items: readonly FolderItem[], cwd: string, root: string): Promise<FolderItem[]> {
  const naming = items.filter(({ key }) => !key.startsWith("permissions."));
  const paths = new Set(
    naming
      .flatMap(({ value }) => textsWithin(value))
      .flatMap((text) => [...pathsIn(text, cwd, root), ...pathsIn(text, root, root)]),
  );
  const found: FolderItem[] = [];
  for (const place of paths) {
    if (found.length === MAX_SCRIPTS) break;
    const bytes = await bytesOf(place, MAX_SCRIPT_BYTES);
    if (bytes === undefined || bytes === "unreadable") continue;
    found.push({ source: "script", place, key: "content", value: sha256(bytes) });
  }
  return found;
}

const projectVariable = /\$(?:\{(?:CLAUDE|PAWL)_PROJECT_DIR\}|(?:CLAUDE|PAWL)_PROJECT_DIR\b)/g;

/** What in a command line may be a path into the folder. Words are cut where a shell would, with quotes left out. */
function pathsIn(text: string, cwd: string, root: string): string[] {
  const plain = text.replace(projectVariable, cwd).replace(/["'\\]/g, "");
  const words = [text, ...plain.split(/[\s;|&()<>=:,`]+/)].filter((word) => word !== "" && !word.includes("\0"));
  return words.map((word) => resolve(cwd, join(word))).filter((path) => path !== cwd && isInside(path, root));
}
