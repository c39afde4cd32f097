import { parseArgs } from "node:util";
import { scenarios } from "./scenarios.mjs";

const DEFAULT_RUNS = 5;
const MAX_RUNS = 50;

export const usage = `npm run bench [-- options]

  --runs N            passes over the scenarios, 1 to ${MAX_RUNS} (${DEFAULT_RUNS})
  --scenarios A,B     ${Object.keys(scenarios).join(", ")} (all)
  --write             put the tables into docs/performance.md
  --help              this text`;

/** @throws Error that names the option and what it may be. */
export function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: "string", default: String(DEFAULT_RUNS) },
      scenarios: { type: "string", default: Object.keys(scenarios).join(",") },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS)
    throw new Error(`--runs ${values.runs}: write a whole number from 1 to ${MAX_RUNS}`);
  const names = values.scenarios.split(",");
  const unknown = names.find((name) => !Object.hasOwn(scenarios, name));
  if (unknown !== undefined) throw new Error(`--scenarios ${unknown}: there are ${Object.keys(scenarios).join(", ")}`);
  return { runs, names, write: values.write, help: values.help };
}
