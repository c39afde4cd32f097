// Runs every example against the built package. Each plays a scenario, so none needs a key or a network.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const MAX_RUN_MS = 60_000;
const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...env } = process.env;

const examples = readdirSync(join(root, "examples")).filter((name) => name.endsWith(".mjs"));
const failed = examples.filter((name) => {
  console.log(`\n# examples/${name}`);
  const { status, error } = spawnSync(process.execPath, [join("examples", name)], {
    cwd: root,
    env,
    stdio: "inherit",
    timeout: MAX_RUN_MS,
  });
  if (error !== undefined) console.error(error.message);
  return status !== 0;
});

console.log(`\nExamples: ${examples.length - failed.length} ran, ${failed.length} failed ${failed.join(", ")}`);
process.exitCode = failed.length > 0 || examples.length === 0 ? 1 : 0;
