import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { filesRead, filesWritten } from "./command-files.ts";
import type { PermissionRequest } from "./context.ts";

/** Every path that a call names for sure, in its input or as a file of its commands. */
export function touchedPaths({ touches }: PermissionRequest): string[] {
  return touches.flatMap((touch) => {
    if (touch.type === "read" || touch.type === "write") return [touch.path];
    if (touch.type !== "command") return [];
    if (touch.command.includes("\0")) return [touch.command];
    const analysis = analyzeCommand(touch.command);
    return [...filesRead(analysis), ...filesWritten(analysis)].flatMap((path) =>
      path === undefined || path.isGlob ? [] : [path.path],
    );
  });
}
