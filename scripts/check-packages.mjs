// What `npm publish` would send: nothing is missing, nothing is there by accident, and every entry point resolves.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { root } from "./root.mjs";

const always = ["package.json", "LICENSE", "README.md"];
const packages = {
  core: {
    needed: [
      ...[...always, "dist/index.js", "dist/index.d.ts", "dist/testing.js", "dist/testing.d.ts"],
      "dist/settings.schema.json",
    ],
    allowed: [],
  },
  cli: {
    needed: [...always, "bin/pawl.js", "dist/main.js", "demo/scenario.yaml", "demo/project/package.json"],
    allowed: [/^demo\/project\/(src|test)\/[\w.]+\.js$/],
  },
};
const builtFile = /^dist\/(?:[\w-]+\.(?:js|d\.ts)|[\w-]+-worker\.mjs)$/;
const machinePath = /(["'`(]|\s)\/(home|root|work|tmp|Users)\/\w/;

function problemsOf(name, { needed, allowed }) {
  const folder = join(root, "packages", name);
  const [{ files }] = JSON.parse(
    execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" }),
  );
  const paths = files.map((file) => file.path);
  const isExpected = (path) => needed.includes(path) || builtFile.test(path) || allowed.some((form) => form.test(path));
  return [
    ...needed.filter((path) => !paths.includes(path)).map((path) => `${path} is missing`),
    ...paths.filter((path) => !isExpected(path)).map((path) => `${path} should not be in it`),
    ...paths
      .filter((path) => machinePath.test(readFileSync(join(folder, path), "utf8")))
      .map((path) => `${path} names a folder of one machine`),
    ...paths.flatMap((path) => lostImports(path, readFileSync(join(folder, path), "utf8"), paths)),
  ].map((problem) => `packages/${name}: ${problem}`);
}

/** What a built file imports from beside it and is not there: of declarations the types would be anything. */
function lostImports(path, text, paths) {
  if (!/\.(?:js|mjs|d\.ts)$/.test(path)) return [];
  const isDeclaration = path.endsWith(".d.ts");
  const imported = [...text.matchAll(/(?:\bfrom|\bimport\(?|new URL\()\s*"\.\/([\w.-]+\.(?:js|mjs))"/g)].map(
    ([, name]) => name,
  );
  return imported
    .map((name) => posix.join(posix.dirname(path), isDeclaration ? name.replace(/\.js$/, ".d.ts") : name))
    .filter((wanted) => !paths.includes(wanted))
    .map((wanted) => `${path} imports ${wanted}, which is missing`);
}

const problems = Object.entries(packages).flatMap(([name, contents]) => problemsOf(name, contents));
for (const problem of problems) console.error(problem);
for (const name of Object.keys(packages)) {
  execFileSync(process.execPath, [join(root, "node_modules/publint/src/cli.js"), join("packages", name), "--strict"], {
    cwd: root,
    stdio: "inherit",
  });
}
if (problems.length > 0) process.exit(1);
console.log("The packages hold what they should.");
