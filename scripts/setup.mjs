// Makes a clone ready to run: dependencies as the lockfile says, packages built. Does nothing when that is so already.
import { build, isBuilt } from "./build.mjs";
import { install, isInstalled } from "./install.mjs";
import { requireNode } from "./node-version.mjs";
import { isMain } from "./root.mjs";
import { alone } from "./setup-lock.mjs";
import { fail, step } from "./step.mjs";

export async function setUp() {
  requireNode();
  if (isInstalled() && isBuilt()) return;
  await alone(async () => {
    // Asked again: the process we may have waited for has done the work.
    if (!isInstalled()) await step("Installing the dependencies (npm ci)", install);
    if (!isBuilt()) await step("Building the packages", build);
  });
}

if (isMain(import.meta.url)) await setUp().catch(fail);
