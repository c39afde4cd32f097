// `npm run bench`: what Pawl costs around the model, in multiples of the least that an agent on Node can cost.
import { availableParallelism, loadavg } from "node:os";
import { setUp } from "../scripts/setup.mjs";
import { fail } from "../scripts/step.mjs";
import { contestants } from "./contestants.mjs";
import { canMeasureProcesses } from "./measured-run.mjs";
import { readOptions, usage } from "./options.mjs";
import { writePage } from "./page.mjs";
import { measurePasses } from "./passes.mjs";
import { table } from "./table.mjs";

async function main() {
  const { runs, names, write, help } = readOptions(process.argv.slice(2));
  if (help) return process.stdout.write(`${usage}\n`);
  await setUp();
  for (const warning of warnings()) process.stderr.write(`${warning}\n`);
  const report = reportOf(await measurePasses(runs, names));
  process.stdout.write(`${report}\n`);
  if (write) writePage(report);
}

function warnings() {
  const isBusy = loadavg()[0] > availableParallelism();
  return [
    ...(isBusy ? [`The machine is busy (load average ${loadavg()[0].toFixed(1)}): expect noise.`] : []),
    ...(canMeasureProcesses ? [] : ["There is no /proc here: CPU and memory are not measured."]),
  ];
}

function reportOf(passes) {
  const tables = Object.entries(contestants)
    .filter(([name]) => name !== "floor")
    .map(([name, { label }]) => table(passes, name, label));
  return [...tables, conditions(passes.length)].join("\n\n");
}

function conditions(passes) {
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${process.platform} ${process.arch}, ${availableParallelism()} cores`;
  const [load] = loadavg();
  const run = `${date}, Node ${process.versions.node}, ${machine}, load average ${load.toFixed(1)}.`;
  // The bench itself is a load of up to two processes.
  const isRough = load > availableParallelism() + 2;
  const note = isRough ? " The machine was busy with other work: take these figures as rough." : "";
  return `${run} Median (min–max), passes: ${passes}.${note}`;
}

await main().catch(fail);
