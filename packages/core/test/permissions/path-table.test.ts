import { describe, expect, test } from "vitest";
import { callInput } from "../../src/permissions/call-input.ts";
import { checkPermission } from "../../src/permissions/check.ts";
import { pathTables } from "./path-table.ts";
import { requestRules } from "./request-rules.ts";

function requestOf(call: string, rules: string) {
  const [, tool = "", about = ""] = /^(\S+) ?(.*)$/s.exec(call) ?? [];
  return { tool, input: callInput(tool, about) ?? {}, ...requestRules(rules) };
}

describe.each(pathTables.map((table) => [table.title, table] as const))("%s", (_, { at, rows }) => {
  test.each(rows)("%s with [%s]: %s", async (call, rules, decision) => {
    const answer = await checkPermission({
      mode: "default",
      readOnlyRoot: "/nowhere",
      ...at,
      ...requestOf(call, rules),
    });
    expect(answer).toMatchObject({ decision });
  });
});

test("the tables are as large as they claim", () => {
  expect(pathTables.flatMap(({ rows }) => rows).length).toBeGreaterThan(250);
});
