import { posix } from "node:path";
import type { PermissionContext } from "./context.ts";
import { thisPlatform } from "./platform.ts";
import type { Rule } from "./rule.ts";
import { nativeWindowsPath, windowsPath } from "./windows-path.ts";

/** A context whose paths are Windows' own, in the form in which paths are compared. Its `files` must take that form too. */
export function windowsContext(context: PermissionContext): PermissionContext {
  const { rules } = context;
  return {
    ...context,
    platform: "win32",
    cwd: compared(context.cwd),
    startCwd: compared(context.startCwd),
    directories: context.directories.map(compared),
    ...(context.readableDirectories === undefined
      ? {}
      : { readableDirectories: context.readableDirectories.map(compared) }),
    ...(context.planPath === undefined ? {} : { planPath: compared(context.planPath) }),
    home: compared(context.home),
    configHome: compared(context.configHome),
    rules: { allow: anchored(rules.allow), ask: anchored(rules.ask), deny: anchored(rules.deny) },
  };
}

/** Files of the machine it runs on, asked by the compared form of their paths. */
export function windowsFiles(files: PermissionContext["files"]): PermissionContext["files"] {
  const { list, readHead } = files;
  return {
    realPath: async (path) => compared(await files.realPath(nativeWindowsPath(path))),
    stat: (path) => files.stat(nativeWindowsPath(path)),
    ...(list === undefined ? {} : { list: (path, most) => list(nativeWindowsPath(path), most) }),
    ...(readHead === undefined ? {} : { readHead: (path, options) => readHead(nativeWindowsPath(path), options) }),
  };
}

/** `/c/Users/x` for `C:\Users\x`. */
export const compared = (path: string): string => posix.resolve("/", windowsPath(path, "/c").path);

const anchored = (rules: readonly Rule[]): Rule[] =>
  rules.map((rule) => (rule.anchor === undefined ? rule : { ...rule, anchor: compared(rule.anchor) }));

/** A context with this machine's own paths, ready to decide in. */
export const inThisPlatform = (context: PermissionContext): PermissionContext =>
  thisPlatform === "win32" ? windowsContext({ ...context, files: windowsFiles(context.files) }) : context;
