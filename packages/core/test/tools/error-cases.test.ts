import { says } from "@pawl/core/testing";
import { describe, expect, test } from "vitest";
import { builtinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { place } from "../scenarios/engine-harness.ts";
import { codeCases } from "./error-cases/code-cases.ts";
import type { ErrorTable } from "./error-cases/error-case.ts";
import { fileCases } from "./error-cases/file-cases.ts";
import { peopleCases } from "./error-cases/people-cases.ts";
import { runCase, toldOf } from "./error-cases/run-case.ts";
import { inOneAnswer, schemaCases } from "./error-cases/schema-cases.ts";
import { searchCases } from "./error-cases/search-cases.ts";
import { shellCases } from "./error-cases/shell-cases.ts";
import { webCases, withSearchable } from "./error-cases/web-cases.ts";
import { workCases } from "./error-cases/work-cases.ts";
import { scenarioCalls } from "./scenario-calls.ts";

const table: ErrorTable = {
  ...fileCases,
  ...searchCases,
  ...shellCases,
  ...codeCases,
  ...webCases,
  ...workCases,
  ...peopleCases,
};
const tools = builtinTools();
const toolNames = tools.map(({ name }) => name);

describe.each(Object.entries(table))("%s is told of", (tool, cases) => {
  test.each(cases.map((errorCase) => [errorCase.what, errorCase] as const))("%s", async (_what, errorCase) => {
    const { content, isError, structured, begins } = await runCase(tool, errorCase);
    expect([content.slice(0, begins.length), isError], content).toEqual([begins, errorCase.isError ?? true]);
    const inTag = /^<tool_use_error>(.*)<\/tool_use_error>$/s.exec(content)?.[1];
    expect(inTag === undefined, "the tag has both its ends").toBe(!content.includes("tool_use_error>"));
    if (inTag !== undefined) expect([structured, isError]).toEqual([`Error: ${inTag}`, true]);
  });
});

test("every tool refuses input without a parameter that it needs, with one more, and with one of another type", async () => {
  await using at = await place();
  const cases = schemaCases();
  let isAsked = false;
  const told = await toldOf([inOneAnswer(cases), says("Done.")], {
    ...{ ...at.options, ...withSearchable },
    async canUseTool() {
      isAsked = true;
      return { behavior: "allow" };
    },
  });
  expect(new Set(cases.map(({ tool }) => tool))).toEqual(new Set(toolNames));
  expect(isAsked).toBe(false);
  expect(told).toHaveLength(cases.length);
  for (const [at, { tool, what, says }] of cases.entries()) {
    const { content = "", isError } = told[at] ?? {};
    expect([content.split(" failed due to")[0], isError], `${tool} ${what}`).toEqual([
      `<tool_use_error>InputValidationError: ${tool}`,
      true,
    ]);
    expect(
      content.split("\n").map((line) => line.replace("</tool_use_error>", "")),
      `${tool} ${what}`,
    ).toContain(says);
  }
});

test("no tool lacks a table of error cases, and none is about a tool that is not there", () => {
  expect(Object.keys(table).sort()).toEqual([...toolNames].sort());
  expect(Object.entries(table).filter(([, cases]) => cases.length === 0)).toEqual([]);
});

test("no tool lacks a scenario through the whole engine that calls it by its own name", () => {
  const calls = scenarioCalls(new URL("../scenarios/", import.meta.url));
  expect(toolNames.filter((name) => !calls.has(name))).toEqual([]);
});
