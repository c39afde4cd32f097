import { readFileSync } from "node:fs";

/** Ends the process with a clear word when this Node is older than `engines` in package.json allows. */
export function requireNode() {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const wanted = engines.node.replace(/^>=/, "");
  if (isAtLeast(process.versions.node, wanted)) return;
  console.error(
    `Pawl needs Node ${wanted} or newer; this is ${process.versions.node}. See https://nodejs.org/en/download`,
  );
  process.exit(1);
}

function isAtLeast(version, wanted) {
  const [major, minor] = version.split(".").map(Number);
  const [wantedMajor, wantedMinor] = wanted.split(".").map(Number);
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}
