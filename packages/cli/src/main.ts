import manifest from "../package.json" with { type: "json" };
import { Output } from "./output.ts";

// The version is asked for by programs that wait for it: it is answered before anything else is loaded.
const args = process.argv.slice(2);
if (args[0] === "-v" || args[0] === "--version") {
  const stdout = new Output(process.stdout);
  await stdout.write(`${manifest.version} (Pawl)\n`);
  await stdout.flush();
  if (stdout.hasLostText) process.exitCode = 1;
} else {
  const { run } = await import("./run.ts");
  await run(args);
}
