// Runs as a Markdown table: ratios to the floor's run of the same pass, median (min–max) over the passes.
import { growthRow, peersMeasuredOn, ratioRows } from "./aims.mjs";
import { known, median } from "./statistics.mjs";

/** @param passes as `measurePasses` gives them */
export function table(passes, contestant, label) {
  const rows = [...ratioRows.map((row) => ratioCells(row, passes, contestant)), growthCells(passes, contestant)];
  const peers = [`best CLI peer, ${peersMeasuredOn}`, `best library, ${peersMeasuredOn}`];
  const head = ["multiples of the floor", label, "aim", "met", ...peers, "the floor itself"];
  return aligned(head, known(rows));
}

/** As the formatter of the documents wants it. */
function aligned(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells, filler) => `| ${cells.map((cell, column) => cell.padEnd(widths[column], filler)).join(" | ")} |`;
  return [line(head, " "), line(Array(head.length).fill(""), "-"), ...rows.map((row) => line(row, " "))].join("\n");
}

function ratioCells({ name, scenario, figure, unit, aim, bestCli, bestLibrary }, passes, contestant) {
  const pairs = pairsOf(passes, scenario, contestant);
  if (pairs === undefined) return undefined;
  const ratios = known(pairs.map(({ ours, floor }) => ratio(ours[figure], floor[figure])));
  const floors = known(pairs.map(({ floor }) => floor[figure]));
  const aimed = `≤ ${aim}`;
  if (ratios.length === 0) return [name, "not measured", aimed, "–", bestCli, bestLibrary, "–"];
  const isMet = median(ratios) <= aim;
  return [name, spread(ratios), aimed, yesNo(isMet), bestCli, bestLibrary, `${short(median(floors))} ${unit}`];
}

const ratio = (ours, floor) => (ours === undefined || floor === undefined ? undefined : ours / floor);

function growthCells(passes, contestant) {
  const { name, scenario, bestCli, bestLibrary, visibleShare } = growthRow;
  const pairs = pairsOf(passes, scenario, contestant);
  if (pairs === undefined) return undefined;
  if (pairs.length === 0) return [name, "not measured", "none visible", "–", bestCli, bestLibrary, "–"];
  const share = median(pairs.map(({ ours }) => ours.lateRoundMs / ours.earlyRoundMs - 1));
  const change = (who) =>
    ["earlyRoundMs", "lateRoundMs"].map((figure) => short(median(pairs.map((pair) => pair[who][figure])))).join(" → ");
  const isMet = share <= visibleShare;
  return [name, `${change("ours")} ms`, "none visible", yesNo(isMet), bestCli, bestLibrary, `${change("floor")} ms`];
}

/** The passes in which both runs of the scenario count; undefined when the scenario was not asked for. */
function pairsOf(passes, scenario, contestant) {
  if (!passes.some((pass) => scenario in pass)) return undefined;
  return passes
    .map((pass) => ({ ours: pass[scenario]?.[contestant], floor: pass[scenario]?.floor }))
    .filter(({ ours, floor }) => ours !== undefined && floor !== undefined);
}

const yesNo = (isTrue) => (isTrue ? "yes" : "**no**");
const short = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

function spread(values) {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map((v) => v.toFixed(2));
  return `${middle} (${least}–${most})`;
}
