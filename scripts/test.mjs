// Sets up, runs the tests (arguments go to vitest) and ends with one line that counts them.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./root.mjs";
import { setUp } from "./setup.mjs";
import { fail } from "./step.mjs";

const vitest = join(root, "node_modules/vitest/vitest.mjs");

async function runTests(args) {
  const folder = mkdtempSync(join(tmpdir(), "pawl-test-report-"));
  try {
    const report = join(folder, "report.json");
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
    const exitCode = await ending(
      spawn(process.execPath, [vitest, "run", ...reporters, ...args], { cwd: root, stdio: "inherit" }),
    );
    return { exitCode, ...counts(report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ending = (child) =>
  new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code === null ? 1 : code));
  });

function counts(report) {
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = readReport(report);
  // A file that could not be loaded failed as one test: it has none of its own to count.
  const failed = testResults.map(({ status, assertionResults }) => {
    const failures = assertionResults.filter((test) => test.status === "failed").length;
    return failures === 0 && status === "failed" ? 1 : failures;
  });
  return {
    passed: numPassedTests,
    failed: failed.reduce((total, count) => total + count, 0),
    skipped: numPendingTests + numTodoTests,
  };
}

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
    return { numPassedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }; // vitest ended before any test
  }
}

async function main() {
  await setUp();
  const { exitCode, passed, failed, skipped } = await runTests(process.argv.slice(2));
  if (passed + failed === 0) process.stderr.write("No test ran, which counts as a failure.\n");
  else if (exitCode !== 0 && failed === 0)
    process.stderr.write(`vitest failed outside a test (code ${exitCode}), see above.\n`);
  process.stdout.write(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  process.exitCode = exitCode === 0 && passed > 0 && failed === 0 ? 0 : exitCode || 1;
}

await main().catch(fail);
