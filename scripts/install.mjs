import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./root.mjs";
import { ProgramFailed, run } from "./step.mjs";

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/** Whether node_modules holds what package-lock.json says. */
export function isInstalled() {
  // npm writes this copy of the lockfile last, so an interrupted installation does not have it.
  if (!existsSync(join(root, "node_modules/.package-lock.json"))) return false;
  const locked = packagesOf("package-lock.json");
  const installed = packagesOf("node_modules/.package-lock.json");
  return Object.entries(locked)
    .filter(([path]) => path.startsWith("node_modules/"))
    .every(([path, entry]) => isSamePackage(entry, installed[path]));
}

const packagesOf = (path) => JSON.parse(readFileSync(join(root, path), "utf8")).packages;

function isSamePackage(locked, installed) {
  if (installed === undefined) return locked.optional === true; // for another platform
  return installed.version === locked.version && installed.integrity === locked.integrity;
}

/** Installs exactly what the lockfile says. */
export async function install() {
  // npm tells its children where it is; called by hand, it is found by the path.
  const { npm_execpath: npm = "" } = process.env;
  const isNpm = basename(npm) === "npm-cli.js";
  const options = { cwd: root, shell: !isNpm && process.platform === "win32" };
  try {
    await (isNpm ? run(process.execPath, [npm, "ci"], options) : run("npm", ["ci"], options));
  } catch (error) {
    throw explained(error);
  }
}

function explained(error) {
  if (error.code === "ENOENT") {
    return new Error("npm is not on the PATH. It comes with Node: install Node from https://nodejs.org/en/download");
  }
  if (error instanceof ProgramFailed && offline.test(error.output)) {
    return new ProgramFailed(
      "npm could not reach its registry. Check the network, or HTTPS_PROXY and `npm config get registry`, and run it again.",
      error.output,
    );
  }
  return error;
}
