import { describe, expect, test } from "vitest";
import { structuredOutputTool } from "./structured-output-tool.ts";

const person = {
  type: "object",
  properties: { name: { type: "string" }, role: { enum: ["cook", "guest"] } },
  required: ["name"],
  additionalProperties: false,
};

describe("an object's schema", () => {
  test("is the tool's input schema as it is, and the input is the output", () => {
    const tool = structuredOutputTool(person);

    expect(tool.inputSchema).toBe(person);
    expect(tool.parse({ name: "Ann", role: "cook" })).toEqual({ ok: true, input: { name: "Ann", role: "cook" } });
  });

  test("tells each mistake with its place and what is allowed", () => {
    expect(structuredOutputTool(person).parse({ role: "king", age: 3 })).toEqual({
      ok: false,
      issues: [
        "input: must have required property 'name'",
        'input: must NOT have additional properties ("age")',
        '/role: must be equal to one of the allowed values (["cook","guest"])',
      ],
    });
  });
});

describe("a schema that is no plain object's", () => {
  test.each([
    ["a list", { type: "array", items: { type: "integer" } }, [1, 2], ["x"]],
    ["null", { type: "null" }, null, 0],
    ["a choice", { anyOf: [{ type: "string" }, person] }, { name: "Ann" }, 3],
    ["an object that is a choice", { ...person, anyOf: [{ required: ["role"] }] }, { name: "A", role: "cook" }, {}],
    ["anything", {}, "whatever", undefined],
  ])("%s is wrapped", (_what, schema, good, bad) => {
    const tool = structuredOutputTool(schema);

    expect(tool.inputSchema).toMatchObject({ type: "object", required: ["value"], properties: { value: schema } });
    expect(tool.parse({ value: good })).toEqual({ ok: true, input: good });
    expect(tool.parse({ value: bad })).toMatchObject({ ok: false });
  });

  test("keeps its definitions where its references look for them", () => {
    const schema = { $ref: "#/$defs/person", $defs: { person } };
    const tool = structuredOutputTool(schema);

    expect(tool.inputSchema).toEqual({
      type: "object",
      properties: { value: { $ref: "#/$defs/person" } },
      required: ["value"],
      additionalProperties: false,
      $defs: { person },
    });
    expect(tool.parse({ value: { name: "Ann" } })).toEqual({ ok: true, input: { name: "Ann" } });
    expect(tool.parse({ value: {} })).toMatchObject({ ok: false });
  });
});

describe("a draft", () => {
  const tuple = { type: "array", prefixItems: [{ type: "string" }] };
  const oldTuple = { type: "array", items: [{ type: "string" }] };

  test.each([
    ["the newest, when none is named", tuple],
    ["the one that takes it, when none is named", oldTuple],
    ["2020-12", { $schema: "https://json-schema.org/draft/2020-12/schema", ...tuple }],
    ["2019-09", { $schema: "https://json-schema.org/draft/2019-09/schema", ...oldTuple }],
    ["draft-07", { $schema: "http://json-schema.org/draft-07/schema#", ...oldTuple }],
  ])("is honoured: %s", (_name, schema) => {
    const tool = structuredOutputTool(schema);

    expect([tool.parse({ value: ["a"] }).ok, tool.parse({ value: [1] }).ok]).toEqual([true, false]);
  });

  test("that is not known is refused with those that are", () => {
    expect(() => structuredOutputTool({ $schema: "http://json-schema.org/draft-04/schema#" })).toThrow(
      '--json-schema is not a valid JSON Schema: its $schema "http://json-schema.org/draft-04/schema#" is not known; use draft-07, 2019-09 or 2020-12',
    );
  });
});

test.each([
  ["a type that is none", { type: "strin" }, /type/],
  ["a reference to nothing", { $ref: "#/$defs/none" }, /none/],
  ["a pattern that is none", { type: "string", pattern: "(" }, /regular expression/i],
  ["a list", [{ type: "string" }], /it is a list/],
])("%s is refused as no valid schema", (_what, schema, why) => {
  expect(() => structuredOutputTool(schema)).toThrow(
    expect.objectContaining({ code: "bad_option", message: expect.stringMatching(why) }),
  );
  expect(() => structuredOutputTool(schema)).toThrow(/^--json-schema is not a valid JSON Schema: /);
});

test("format is accepted and not enforced, known or not; so are keywords that mean something to the validator alone", () => {
  const tool = structuredOutputTool({
    type: "object",
    $async: true,
    properties: { at: { type: "string", format: "date-time" }, of: { type: "string", format: "moon-phase" } },
    required: ["at"],
  });

  expect(tool.parse({ at: "no date", of: "full" }).ok).toBe(true);
  expect(tool.parse({ of: "full" }).ok).toBe(false);
});
