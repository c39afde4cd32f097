// Sets up and becomes the command line program: with arguments as given, without any the demonstration.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";
import { setUp } from "./setup.mjs";
import { fail } from "./step.mjs";

async function main() {
  await setUp();
  const args = process.argv.slice(2);
  const { npm_lifecycle_event: script, INIT_CWD: calledFrom } = process.env;
  if (script === "start" && calledFrom) process.chdir(calledFrom); // npm moves to the package; paths are the caller's
  const program = join(root, "packages/cli/bin/pawl.js");
  process.argv = [process.execPath, program, ...(args.length === 0 ? ["--demo"] : args)];
  await import(pathToFileURL(program).href);
}

await main().catch(fail);
