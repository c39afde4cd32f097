import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseRule } from "../../src/permissions/rule.ts";
import { unknownToolWarnings } from "../../src/permissions/rule-set.ts";
import { builtinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { publicToolNames } from "./public-tool-names.ts";

const page = readFileSync(new URL("../../../../docs/tools.md", import.meta.url), "utf8");
const [offeredPart = "", leftOutPart = ""] = page.split("\n## Not offered, and why\n");

/** The names in the first column of every table. */
const namesIn = (part: string): string[] =>
  part
    .split("\n")
    .flatMap((line) => /^\| ([A-Z][\w, ]*?) +\|/.exec(line)?.[1]?.split(", ") ?? [])
    .sort();

const offered = builtinTools()
  .map(({ name }) => name)
  .sort();

test("the page tells of every tool that is offered, once, and of no other", () => {
  expect(namesIn(offeredPart)).toEqual(offered);
});

test("of every public name that is not offered it says why", () => {
  expect(namesIn(leftOutPart)).toEqual(publicToolNames.filter((name) => !offered.includes(name)).sort());
});

test("a rule about any public tool is taken without a warning", () => {
  const rules = publicToolNames.map((name) => parseRule(name, "userSettings"));
  expect(unknownToolWarnings({ allow: rules, ask: rules, deny: rules }, offered)).toEqual([]);
});
