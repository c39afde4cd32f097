// Runs every contestant through the scenarios, several times over.
import { readFileSync } from "node:fs";
import { constants } from "node:os";
import { contestants } from "./contestants.mjs";
import { faultOf, figuresOf } from "./figures.mjs";
import { endMeasuredRun, measuredRun } from "./measured-run.mjs";
import { startMockModel } from "./mock-model.mjs";
import { scenarios } from "./scenarios.mjs";
import { layOutFiles, makeFolder, makePlace } from "./workplace.mjs";

const MAX_TOTAL_MINUTES = 45;
const MAX_SHOWN_CHARS = 2_000;
const PROMPT = "Run the benchmark.";

/** @returns one entry a pass: `pass[scenario][contestant]` has the figures, or is undefined for a run that does not count. */
export async function measurePasses(count, names) {
  const folder = makeFolder();
  const model = await startMockModel();
  const giveUp = (signal) => {
    endMeasuredRun();
    folder.remove();
    process.exit(128 + constants.signals[signal]);
  };
  process.once("SIGINT", giveUp).once("SIGTERM", giveUp);
  try {
    return await measure(count, names, placesIn(folder.path, model), model);
  } finally {
    process.off("SIGINT", giveUp).off("SIGTERM", giveUp);
    model.stop();
    folder.remove();
  }
}

const placesIn = (folder, { baseUrl }) =>
  Object.entries(contestants).map(([name, contestant]) => [name, makePlace(`${folder}/${name}`, contestant, baseUrl)]);

async function measure(count, names, places, model) {
  const deadline = Date.now() + MAX_TOTAL_MINUTES * 60_000;
  for (const [contestant, place] of places) {
    const warmUp = await measureRun("hello", contestant, place, model); // fills the file caches
    if (warmUp === undefined) throw new Error(`${contestant} cannot run the shortest scenario`);
  }
  const passes = [];
  while (passes.length < count) {
    if (Date.now() > deadline) throw new Error(`Not done after ${MAX_TOTAL_MINUTES} minutes; ask for fewer --runs`);
    process.stderr.write(`pass ${passes.length + 1} of ${count}\n`);
    passes.push(await measurePass(names, places, model));
  }
  return passes;
}

/** The contestants take turns within each scenario, so that a noisy moment hits all alike. */
async function measurePass(names, places, model) {
  const pass = {};
  for (const scenario of names) {
    pass[scenario] = {};
    for (const [contestant, place] of places)
      pass[scenario][contestant] = await measureRun(scenario, contestant, place, model);
  }
  return pass;
}

async function measureRun(scenario, contestant, { work, env, stderrPath }, model) {
  layOutFiles(work);
  await model.begin(scenario, contestant, work);
  const argv = contestants[contestant].argv.map((word) => word.replace("{prompt}", PROMPT));
  const run = await measuredRun(argv, { cwd: work, env, stderrPath });
  const requests = (await model.records()).filter(({ isMain }) => isMain);
  const fault = faultOf(run, requests, scenarios[scenario]);
  if (fault === undefined) return figuresOf[scenario](run, requests);
  process.stderr.write(`${contestant} in ${scenario} does not count: ${fault}\n`);
  process.stderr.write(readFileSync(stderrPath, "utf8").slice(-MAX_SHOWN_CHARS));
  process.exitCode = 1;
  return undefined;
}
