// Writes the tables into docs/performance.md, between its marks.
import { readFileSync, writeFileSync } from "node:fs";

const page = new URL("../docs/performance.md", import.meta.url);
const marks = { begin: "<!-- bench: begin -->", end: "<!-- bench: end -->" };

export function writePage(text) {
  const old = readFileSync(page, "utf8");
  const [before, rest] = old.split(marks.begin);
  const after = rest?.split(marks.end)[1];
  if (after === undefined)
    throw new Error(`docs/performance.md: the marks ${marks.begin} and ${marks.end} are missing; put them back`);
  writeFileSync(page, `${before}${marks.begin}\n${text}\n${marks.end}${after}`);
}
