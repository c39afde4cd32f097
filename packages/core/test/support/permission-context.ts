import { join } from "node:path";
import { localFiles } from "../../src/files/local-files.ts";
import type { PermissionContext } from "../../src/permissions/context.ts";
import type { RuleSet } from "../../src/permissions/rule-set.ts";

const noRules: RuleSet = { allow: [], ask: [], deny: [] };

/** A call in `root/ws` (or `changes.cwd`, where the session then began too), the user's home in `root/home`, and no rules. */
export function permissionContext(root: string, changes: Partial<PermissionContext> = {}): PermissionContext {
  const cwd = changes.cwd ?? join(root, "ws");
  return {
    mode: "default",
    rules: noRules,
    startCwd: cwd,
    directories: [cwd],
    home: join(root, "home"),
    configHome: join(root, "home/.pawl"),
    files: localFiles(),
    ...changes,
    cwd,
  };
}
