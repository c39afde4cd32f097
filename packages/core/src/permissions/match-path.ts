import { posix } from "node:path";
import type { PermissionContext } from "./context.ts";
import { keptInDecision } from "./one-decision.ts";
import { globTest, type PathGlob } from "./path-glob.ts";
import { type Place, placeOf } from "./place.ts";
import { pathBelow, type Reading, thisPlatform } from "./platform.ts";
import type { Rule } from "./rule.ts";
import { windowsPattern } from "./windows-path.ts";

/**
 * Whether a Read or Edit rule's pattern covers a path. Links are looked through: read narrowly (allow) the path as written
 * and where it leads must both match, read widely (ask, deny) one is enough.
 */
export async function matchesPath(
  rule: Rule & { spec: string },
  place: Place,
  reading: Reading,
  context: PermissionContext,
): Promise<boolean> {
  const isCovered = await pathTest(rule, reading, context, place.platform);
  if (reading === "wide") return [place.lexical, ...place.real].some(isCovered);
  return place.real.length > 0 && [place.lexical, ...place.real].every(isCovered);
}

/** Whether a pattern covers an absolute path as it is written. */
export type PathTest = (path: string) => boolean;

export async function pathTest(
  rule: Rule & { spec: string },
  reading: Reading,
  context: PermissionContext,
  platform = context.platform ?? thisPlatform,
): Promise<PathTest> {
  const { glob, anchors } = anchored(rule, reading, context);
  const folders = new Set<string>();
  for (const anchor of anchors) {
    for (const folder of await formsOf(anchor, context)) folders.add(folder);
  }
  const isMatch = globTest(glob, reading, platform);
  return (path) =>
    [...folders].some((folder) => {
      const below = pathBelow(path, folder, platform);
      return below !== undefined && isMatch(below);
    });
}

/** A folder as written and where it leads: a working directory may itself be reached through a link. */
const formsOf = keptInDecision(async (folder: string, context): Promise<readonly string[]> => {
  if (folder === ROOT) return [ROOT]; // above all drives
  const { lexical, real } = await placeOf(folder, context);
  return [lexical, ...real];
});

type Anchored = { glob: PathGlob; anchors: readonly string[] };

function anchored(rule: Rule & { spec: string }, reading: Reading, context: PermissionContext): Anchored {
  const spec = (context.platform ?? thisPlatform) === "win32" ? windowsPattern(rule.spec) : rule.spec;
  if (spec.startsWith("//")) return { glob: { glob: spec, isRelative: false }, anchors: [ROOT] };
  if (spec === "~" || spec.startsWith("~/")) {
    return { glob: { glob: spec.slice(1), isRelative: false }, anchors: [context.home] };
  }
  if (spec.startsWith("/")) return { glob: { glob: spec, isRelative: false }, anchors: [sourceFolder(rule, context)] };
  const up = /^(\.\.\/)+/.exec(spec)?.[0] ?? "";
  const bases = reading === "wide" ? [context.cwd, context.startCwd] : [context.cwd];
  return {
    glob: { glob: spec.slice(up.length), isRelative: up === "" },
    anchors: bases.map((base) => posix.resolve(base, up)),
  };
}

const ROOT = "/";

function sourceFolder(rule: Rule, context: PermissionContext): string {
  return rule.anchor ?? (rule.source === "userSettings" ? context.configHome : context.startCwd);
}
