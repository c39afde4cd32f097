/** Whose rules names of files are judged by: `darwin` and `win32` take names in other letter case for the same file. */
export const platforms = ["linux", "darwin", "win32"] as const;
export type Platform = (typeof platforms)[number];

/** The one that this program runs on; any other Unix is like Linux. */
export const thisPlatform: Platform =
  process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux";

/** What is left open is read widely by deny and ask rules, narrowly by allow rules. */
export type Reading = "wide" | "narrow";

/** Characters that some disks leave out of names. */
const IGNORED = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * A name in the form in which two names of one file are equal. Narrowly: letter case where the platform's disks do not tell
 * it apart, and composed letters. Widely: every case, on every platform, since a mounted disk may have other rules.
 */
export function foldName(name: string, reading: Reading, platform: Platform = thisPlatform): string {
  const composed = name.normalize("NFC");
  if (reading === "narrow") return platform === "linux" ? composed : composed.toLowerCase();
  const seen = platform === "linux" ? composed : composed.replace(IGNORED, "");
  return seen.toLowerCase().toUpperCase().toLowerCase().normalize("NFC"); // `ẞ`, `ß` and `SS` are one
}

/** A name as no disk tells it from others: for what must be found under every disguise. */
export const foldDisguises = (name: string): string => foldName(name.replace(IGNORED, ""), "wide", "linux");

/**
 * The part of an absolute path below a folder, "" for the folder itself, undefined when it lies elsewhere. Both have no
 * `.`, `..` or doubled slashes.
 */
export function pathBelow(path: string, folder: string, platform: Platform = thisPlatform): string | undefined {
  if (path === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  if (platform === "linux") return undefined;
  const names = path.split("/");
  const wanted = folder === "/" ? [""] : folder.split("/");
  const fold = (name: string | undefined) => name !== undefined && foldName(name, "narrow", platform);
  return wanted.every((name, at) => fold(name) === fold(names[at])) ? names.slice(wanted.length).join("/") : undefined;
}

/** Whether an absolute path is the folder or below it. */
export const isWithin = (path: string, folder: string, platform?: Platform): boolean =>
  pathBelow(path, folder, platform) !== undefined;
