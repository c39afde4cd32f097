import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import type { CommandAnalysis } from "../shell/analysis/simple-command.ts";
import { filesWritten } from "./command-files.ts";
import type { CommandPath } from "./command-path.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { criticalRemoval, removalAmong } from "./critical-removal.ts";
import { placeOf } from "./place.ts";
import { protectedInPattern, protectedPart } from "./protected-path.ts";

/** What no allow rule approves. */
type Danger = { type: "critical_removal" | "protected_path"; reason: string };

export async function dangerOf(request: PermissionRequest, context: PermissionContext): Promise<Danger | undefined> {
  for (const touch of request.touches) {
    const removed = touch.type === "command" ? await criticalRemoval(touch.command, context) : undefined;
    if (removed !== undefined) return loss(removed);
  }
  return protectedAmong(writtenPaths(request), context);
}

/** The same of a part of a command line. */
export async function dangerIn(analysis: CommandAnalysis, context: PermissionContext): Promise<Danger | undefined> {
  const removed = await removalAmong(analysis.commands, context);
  return removed === undefined ? protectedAmong(known(filesWritten(analysis)), context) : loss(removed);
}

const loss = (removed: string): Danger => ({
  type: "critical_removal",
  reason: `It would remove ${removed}, which may be too much to lose.`,
});

async function protectedAmong(paths: readonly Written[], context: PermissionContext): Promise<Danger | undefined> {
  for (const path of paths) {
    const part = await protectedPartOf(path, context);
    if (part !== undefined) {
      return {
        type: "protected_path",
        reason: `${path.path} is protected: what is in ${part} can make other programs run commands.`,
      };
    }
  }
  return undefined;
}

type Written = { path: string; isGlob: boolean };

function writtenPaths({ touches }: PermissionRequest): Written[] {
  return touches.flatMap((touch) => {
    if (touch.type === "write") return [{ path: touch.path, isGlob: false }];
    return touch.type === "command" ? known(filesWritten(analyzeCommand(touch.command))) : [];
  });
}

const known = (paths: readonly CommandPath[]): Written[] => paths.flatMap((path) => (path === undefined ? [] : [path]));

async function protectedPartOf({ path, isGlob }: Written, context: PermissionContext): Promise<string | undefined> {
  const part = protectedPart(await placeOf(path, context));
  if (part !== undefined || !isGlob) return part;
  return protectedInPattern(path, async (each) => {
    const { lexical } = await placeOf(each, context);
    return (await context.files.stat(lexical)) !== undefined;
  });
}
