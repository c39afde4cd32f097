import { relative, resolve } from "node:path";
import type { PermissionContext } from "./context.ts";
import { matchesPathGlob, type PathGlob, type Reading } from "./path-glob.ts";
import { isWithin, type Place, placeOf } from "./place.ts";
import type { Rule } from "./rule.ts";

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
  const { glob, anchors } = anchored(rule, reading, context);
  const folders: string[] = [];
  for (const anchor of anchors) {
    const { lexical, real } = await placeOf(anchor, context);
    folders.push(lexical, ...real); // a working directory may itself be reached through a link
  }
  const isCovered = (path: string) =>
    folders.some((folder) => isWithin(path, folder) && matchesPathGlob(glob, relative(folder, path), reading));
  if (reading === "wide") return [place.lexical, ...place.real].some(isCovered);
  return place.real.length > 0 && [place.lexical, ...place.real].every(isCovered);
}

type Anchored = { glob: PathGlob; anchors: readonly string[] };

function anchored(rule: Rule & { spec: string }, reading: Reading, context: PermissionContext): Anchored {
  const { spec } = rule;
  if (spec.startsWith("//")) return { glob: { glob: spec, isRelative: false }, anchors: ["/"] };
  if (spec === "~" || spec.startsWith("~/")) {
    return { glob: { glob: spec.slice(1), isRelative: false }, anchors: [context.home] };
  }
  if (spec.startsWith("/")) return { glob: { glob: spec, isRelative: false }, anchors: [sourceFolder(rule, context)] };
  const up = /^(\.\.\/)+/.exec(spec)?.[0] ?? "";
  const bases = reading === "wide" ? [context.cwd, context.startCwd] : [context.cwd];
  return {
    glob: { glob: spec.slice(up.length), isRelative: up === "" },
    anchors: bases.map((base) => resolve(base, up)),
  };
}

function sourceFolder(rule: Rule, context: PermissionContext): string {
  return rule.anchor ?? (rule.source === "userSettings" ? context.configHome : context.startCwd);
}
