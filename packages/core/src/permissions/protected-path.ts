import { matchesPathGlob } from "./path-glob.ts";
import type { Place } from "./place.ts";
import { foldDisguises, type Platform } from "./platform.ts";
import { mayBeShortFor } from "./windows-path.ts";

/** What is in these folders, and these files, can make another program run something: writing them is asked about. */
const protectedFolders: ReadonlySet<string> = new Set(
  ".git .vscode .idea .husky .cargo .devcontainer .yarn .mvn .claude .pawl".split(" "),
);
const protectedFiles: ReadonlySet<string> = new Set(
  (
    ".gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv .zlogin " +
    ".zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml .bunfig.toml " +
    ".bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml " +
    "gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc pyrightconfig.json .mcp.json " +
    ".claude.json .pawl.json"
  ).split(" "),
);

/** The protected folder or file that a path is or lies in, under any of its forms. */
export function protectedPart({ lexical, real, platform }: Place): string | undefined {
  for (const path of [lexical, ...real]) {
    const found = protectedPartOf(path, platform);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** What a pattern of paths may match of it: names that begin with a dot, there or not, and others that are there. */
export async function protectedInPattern(
  pattern: string,
  isThere: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  const segments = pattern.split("/");
  for (const [at, segment] of segments.entries()) {
    if (!/[*?[]/.test(segment)) continue;
    for (const name of [...protectedFolders, ...protectedFiles]) {
      if (!matchesName(segment, name) || (name.startsWith(".") && !segment.startsWith("."))) continue;
      if (segment.startsWith(".") || (await isThere([...segments.slice(0, at), name].join("/")))) return name;
    }
  }
  return undefined;
}

const matchesName = (segment: string, name: string) =>
  matchesPathGlob({ glob: segment, isRelative: false }, name, "wide");

function protectedPartOf(path: string, platform: Platform): string | undefined {
  const segments = foldDisguises(path).split("/"); // a disk may not tell .GIT from .git
  if (platform === "win32") {
    const names = [...protectedFolders, ...protectedFiles];
    const meant = segments.flatMap((segment) => names.find((name) => mayBeShortFor(segment, name)) ?? []);
    if (meant[0] !== undefined) return meant[0];
  }
  const folder = segments.find((segment, at) => isProtectedFolder(segment, segments[at - 1], segments[at + 1]));
  if (folder !== undefined) return folder;
  const name = segments.at(-1) ?? "";
  return protectedFiles.has(name) ? name : undefined;
}

function isProtectedFolder(segment: string, before: string | undefined, after: string | undefined): boolean {
  if (segment === "git") return before === ".config";
  if ((segment === ".claude" || segment === ".pawl") && after === "worktrees") return false;
  return protectedFolders.has(segment);
}
