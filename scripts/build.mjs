import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isMain, root } from "./root.mjs";
import { fail, run, step } from "./step.mjs";

const packages = ["core", "cli"];
const outputs = ["packages/core/dist/index.js", "packages/core/dist/testing.js", "packages/cli/dist/main.js"];
const stamp = join(root, ".stamps/build");

/** Whether `dist` was made from the sources as they are now. */
export function isBuilt() {
  if (!existsSync(stamp) || !outputs.every((path) => existsSync(join(root, path)))) return false;
  return readFileSync(stamp, "utf8") === fingerprint();
}

/** Builds each package with tsdown, in the order of their dependencies. */
export async function build() {
  const made = fingerprint();
  for (const name of packages) {
    await run(process.execPath, [join(root, "node_modules/tsdown/dist/run.mjs")], {
      cwd: join(root, "packages", name),
      env: { ...process.env, NO_COLOR: "1" },
    });
  }
  mkdirSync(join(root, ".stamps"), { recursive: true });
  writeFileSync(stamp, made);
}

/** One hash over everything that a build depends on. */
function fingerprint() {
  const hash = createHash("sha256");
  for (const path of inputs())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
}

function inputs() {
  const ofPackage = (name) => {
    const sources = readdirSync(join(root, "packages", name, "src"), { recursive: true, withFileTypes: true });
    return [
      `packages/${name}/package.json`,
      `packages/${name}/tsdown.config.ts`,
      ...sources
        .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
    ];
  };
  return ["package-lock.json", "tsconfig.json", ...packages.flatMap(ofPackage)].sort();
}

if (isMain(import.meta.url)) {
  if (process.argv.includes("--check")) process.exitCode = isBuilt() ? 0 : 1;
  else await step("Building the packages", build).catch(fail);
}
