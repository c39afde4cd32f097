import { describe, expect, test } from "vitest";
import { builtinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { agentInput, agentTrailer, launchedText, sendMessageInput } from "../../src/tools/contracts/agent.ts";
import { listMcpResourcesInput, readMcpResourceInput } from "../../src/tools/contracts/mcp-resources.ts";
import { launchingText, skillInput, skillMessage } from "../../src/tools/contracts/skill.ts";
import { unknownKeywords } from "../../src/tools/input-schema.ts";
import { type PublishedInput, publishedContracts, publishedInputs, withoutPublishedInput } from "./published-inputs.ts";

type ObjectSchema = { properties: Readonly<Record<string, object>>; required?: readonly string[] };

const contracts: Readonly<Record<string, object>> = {
  ...{ Agent: agentInput, SendMessage: sendMessageInput, Skill: skillInput },
  ListMcpResourcesTool: listMcpResourcesInput,
  ReadMcpResourceTool: readMcpResourceInput,
  ReadMcpResourceDirTool: readMcpResourceInput,
};

type Told = Required<PublishedInput> & { isStrict: boolean };

/** A schema told in the terms of the published table; of the defaults those that the table names. */
function toldInput(schema: object, named: PublishedInput): Told {
  const { properties, required = [] } = schema as ObjectSchema; // every input is an object
  const enums = Object.entries(properties).flatMap(([name, property]) =>
    "enum" in property && Array.isArray(property.enum) ? [[name, [...property.enum].sort()] as const] : [],
  );
  const left = Object.entries(properties).filter(([name]) => !required.includes(name));
  const isDefaulted = (name: string) => Object.hasOwn(named.defaulted ?? {}, name);
  return {
    required: [...required].sort(),
    optional: left.flatMap(([name]) => (isDefaulted(name) ? [] : [name])).sort(),
    defaulted: Object.fromEntries(
      left.flatMap(([name, property]) =>
        isDefaulted(name) ? [[name, "default" in property ? property.default : undefined]] : [],
      ),
    ),
    enums: Object.fromEntries(enums),
    isStrict: "additionalProperties" in schema && schema.additionalProperties === false,
  };
}

function published({ required = [], optional = [], defaulted = {}, enums = {} }: PublishedInput): Told {
  return {
    required: [...required].sort(),
    optional: [...optional].sort(),
    defaulted,
    enums: Object.fromEntries(Object.entries(enums).map(([name, values]) => [name, [...values].sort()])),
    isStrict: true,
  };
}

const tools = builtinTools();

describe("the inputs are the published ones", () => {
  test.each(Object.entries(publishedInputs))("%s", (name, input) => {
    const tool = tools.find((each) => each.name === name);
    expect(toldInput(tool?.inputSchema ?? {}, input)).toEqual(published(input));
  });

  test.each(Object.entries(publishedContracts))("%s, whose behaviour comes later", (name, input) => {
    expect(toldInput(contracts[name] ?? {}, input)).toEqual(published(input));
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
  expect(names.filter((name) => !(name in publishedInputs)).sort()).toEqual([...withoutPublishedInput].sort());
  expect(names.filter((name) => name in publishedContracts)).toEqual([]);
});

test.each(tools.map(({ name, inputSchema }) => [name, inputSchema] as const))(
  "every keyword in the schema of %s is checked",
  (_name, schema) => expect(unknownKeywords(schema)).toEqual([]),
);
