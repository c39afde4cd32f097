import { describe, expect, test } from "vitest";
import { builtinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { agentInput, agentTrailer, launchedText, sendMessageInput } from "../../src/tools/contracts/agent.ts";
import { listMcpResourcesInput, readMcpResourceInput } from "../../src/tools/contracts/mcp-resources.ts";
import { launchingText, skillInput, skillMessage } from "../../src/tools/contracts/skill.ts";
import { unknownKeywords } from "../../src/tools/input-schema.ts";
import { ownInputs, publishedContracts, publishedInputs } from "./published-inputs.ts";

const contracts: Readonly<Record<string, object>> = {
  ...{ Agent: agentInput, SendMessage: sendMessageInput, Skill: skillInput },
  ListMcpResourcesTool: listMcpResourcesInput,
  ReadMcpResourceTool: readMcpResourceInput,
  ReadMcpResourceDirTool: readMcpResourceInput,
};

/** A schema without its descriptions, and with what is listed in no order in one that is always the same. */
function told(schema: unknown, name = ""): unknown {
  if (Array.isArray(schema)) return name === "enum" || name === "required" ? [...schema].sort() : schema;
  if (typeof schema !== "object" || schema === null) return schema;
  const isSchema = name !== "properties";
  const fields = Object.entries(schema)
    .filter(([key]) => !isSchema || key !== "description")
    .map(([key, value]) => [key, told(value, isSchema ? key : "")] as const);
  // Left out, it says the same as an empty one.
  const required = isSchema && "properties" in schema ? { required: [] } : {};
  return { ...required, ...Object.fromEntries(fields) };
}

const tools = builtinTools();

describe("the inputs are the published ones", () => {
  test.each(Object.entries(publishedInputs))("%s", (name, input) => {
    expect(told(tools.find((each) => each.name === name)?.inputSchema)).toEqual(input);
  });

  test.each(Object.entries(ownInputs))("%s, which is our own", (name, input) => {
    expect(told(tools.find((each) => each.name === name)?.inputSchema)).toEqual(input);
  });

  test.each(Object.entries(publishedContracts))("%s, whose behaviour comes later", (name, input) => {
    expect(told(contracts[name])).toEqual(input);
  });
});

test.each([
  [launchedText("a1"), /^Async agent launched successfully\.\nagentId: a1 /],
  [
    agentTrailer("a1", { tokens: 12, toolUses: 3, durationMs: 400 }),
    /^agentId: a1 \(use SendMessage with to: 'a1' .*\)\n<usage>total_tokens: 12\ntool_uses: 3\nduration_ms: 400<\/usage>$/,
  ],
  [launchingText("db:migrate"), /^Launching skill: db:migrate$/],
  [skillMessage("/skills/migrate", "Do it."), /^Base directory for this skill: \/skills\/migrate\n\nDo it\.$/],
])("%j is worded as consumers match it", (told, published) => {
  expect(told).toMatch(published);
});

test("every tool is in the table or is one without a published input, and none that comes later is offered", () => {
  const names = tools.map(({ name }) => name);
  expect(names.filter((name) => !(name in publishedInputs)).sort()).toEqual(Object.keys(ownInputs).sort());
  expect(names.filter((name) => name in publishedContracts)).toEqual([]);
});

test.each(tools.map(({ name, inputSchema }) => [name, inputSchema] as const))(
  "every keyword in the schema of %s is checked",
  (_name, schema) => expect(unknownKeywords(schema)).toEqual([]),
);
