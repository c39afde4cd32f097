import { dirname } from "node:path";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { placeOf } from "./place.ts";
import { isWithin, thisPlatform } from "./platform.ts";
import type { PermissionUpdate } from "./update.ts";

type Candidates = readonly (readonly PermissionUpdate[])[];

const acceptEdits: PermissionUpdate = { type: "setMode", mode: "acceptEdits", destination: "session" };

/** Edits are allowed for the session: those in the working directories, or in the folder of the file besides. */
export async function suggestForEdit(request: PermissionRequest, context: PermissionContext): Promise<Candidates> {
  if (context.mode === "plan") return [];
  const paths = await realPaths(request, context);
  const folders = foldersOf(paths, context);
  const mode = context.mode === "default" ? [acceptEdits] : [];
  return [mode, [...add(folders), ...mode], rules("Edit", paths.map(ruleOfPath))];
}

/** Reading is allowed in the folder, or of the file where the folder holds too much. */
export async function suggestForRead(request: PermissionRequest, context: PermissionContext): Promise<Candidates> {
  const paths = await realPaths(request, context);
  const folders = foldersOf(paths, context);
  const below = folders.map((folder) => `${ruleOfPath(folder)}/**`);
  return [rules("Read", below), rules("Read", paths.map(ruleOfPath))];
}

const add = (directories: readonly string[]): PermissionUpdate[] =>
  directories.length === 0 ? [] : [{ type: "addDirectories", directories, destination: "session" }];

function rules(toolName: string, contents: readonly string[]): PermissionUpdate[] {
  if (contents.length === 0) return [];
  const each = [...new Set(contents)].map((ruleContent) => ({ toolName, ruleContent }));
  return [{ type: "addRules", rules: each, behavior: "allow", destination: "session" }];
}

async function realPaths({ touches }: PermissionRequest, context: PermissionContext): Promise<string[]> {
  const paths: string[] = [];
  for (const touch of touches) {
    if (touch.type === "read" || touch.type === "write") paths.push(...(await placeOf(touch.path, context)).real);
  }
  return [...new Set(paths)];
}

/** The folders of the paths; none when one of them holds more than a person has in mind. */
function foldersOf(paths: readonly string[], context: PermissionContext): string[] {
  const { home, startCwd, cwd, configHome, platform = thisPlatform } = context;
  const folders = [...new Set(paths.map((path) => dirname(path)))];
  const isTooMuch = (folder: string) =>
    folder.split("/").filter((segment) => segment !== "").length < 2 ||
    [home, startCwd, cwd, configHome].some((kept) => isWithin(kept, folder, platform)) ||
    isWithin(folder, configHome, platform);
  return folders.some(isTooMuch) ? [] : folders;
}

/** The path itself as a rule from the file system's root: what gitignore would read as a pattern is escaped. */
const ruleOfPath = (path: string): string => `/${path.replace(/[\\*?[\]!#]/g, "\\$&")}`;
