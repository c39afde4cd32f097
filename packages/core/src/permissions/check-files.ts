import { resolve } from "node:path";
import { localFiles } from "../files/local-files.ts";
import { type TreeOptions, treeFiles } from "../files/tree-files.ts";
import type { CheckRequest } from "./check-request.ts";
import type { PermissionContext } from "./context.ts";
import { foldName, type Platform, thisPlatform } from "./platform.ts";
import { compared, windowsFiles } from "./windows-context.ts";

type Files = PermissionContext["files"];

/** The tree, or the disk, with names as the platform reads them. */
export function filesOf({ platform, readOnlyRoot }: CheckRequest): Files {
  if (readOnlyRoot !== undefined) return seenOnce(treeFiles(resolve(readOnlyRoot), namesOf(platform)));
  return seenOnce(thisPlatform === "win32" ? windowsFiles(localFiles()) : treeFiles("/", namesOf(platform)));
}

/** One check looks at each path once. */
function seenOnce(files: Files): Files {
  const known = new Map<string, Promise<string>>();
  return {
    ...files,
    realPath(path) {
      const real = known.get(path) ?? files.realPath(path);
      known.set(path, real);
      return real;
    },
  };
}

function namesOf(platform: Platform): TreeOptions {
  if (platform === "linux") return {};
  const keyOf = (name: string) => foldName(name, "narrow", platform);
  if (platform === "darwin") return { keyOf };
  return {
    keyOf,
    readTarget: (target) => (/^(?:[a-z]:)?[\\/]/i.test(target) ? compared(target) : target.replaceAll("\\", "/")),
  };
}
