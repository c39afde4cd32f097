import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { filesWritten } from "./command-files.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { criticalRemoval } from "./critical-removal.ts";
import { placeOf } from "./place.ts";
import { protectedInPattern, protectedPart } from "./protected-path.ts";

/** What no allow rule approves. */
export type Danger = { type: "critical_removal" | "protected_path"; reason: string };

export async function dangerOf(request: PermissionRequest, context: PermissionContext): Promise<Danger | undefined> {
  for (const touch of request.touches) {
    const removed = touch.type === "command" ? await criticalRemoval(touch.command, context) : undefined;
    if (removed !== undefined) {
      return { type: "critical_removal", reason: `It would remove ${removed}, which may be too much to lose.` };
    }
  }
  for (const path of writtenPaths(request)) {
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
    const written = touch.type === "command" ? filesWritten(analyzeCommand(touch.command)) : [];
    return written.flatMap((path) => (path === undefined ? [] : [path]));
  });
}

async function protectedPartOf({ path, isGlob }: Written, context: PermissionContext): Promise<string | undefined> {
  const part = protectedPart(await placeOf(path, context));
  if (part !== undefined || !isGlob) return part;
  return protectedInPattern(path, async (each) => {
    const { lexical } = await placeOf(each, context);
    return (await context.files.stat(lexical)) !== undefined;
  });
}
