import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { checkValue, type Fault } from "./check-value.ts";
import { type Schema, settingsSchema } from "./schema.ts";

const understood = [
  ...["$schema", "title", "description", "type", "enum", "minimum", "maximum", "minLength", "items", "properties"],
  ...["additionalProperties", "required", "examples"],
];

function schemas(schema: Schema): Schema[] {
  const { items, properties = {}, additionalProperties } = schema;
  const inner = [...Object.values(properties), ...(items === undefined ? [] : [items])];
  if (typeof additionalProperties === "object") inner.push(additionalProperties);
  return [schema, ...inner.flatMap(schemas)];
}

test("the published schema is a JSON Schema that editors understand, and uses only what our own check knows", () => {
  expect(() =>
    new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false }).compile(settingsSchema),
  ).not.toThrow();
  const keywords = new Set(schemas(settingsSchema).flatMap((schema) => Object.keys(schema)));
  expect([...keywords].filter((keyword) => !understood.includes(keyword))).toEqual([]);
});

test("what is shown as an example is right, by our check and by a library's", () => {
  const ajv = new Ajv2020({ allowUnionTypes: true, strictTypes: false });
  for (const [key, schema] of Object.entries(settingsSchema.properties ?? {})) {
    for (const example of schema.examples ?? []) {
      const faults: Fault[] = [];
      expect(checkValue(example, [key], faults)).toEqual(example);
      expect({ key, faults, isValid: ajv.compile(schema)(example) }).toEqual({ key, faults: [], isValid: true });
    }
  }
});

test("every key has a description and stands in the docs", () => {
  const docs = readFileSync(new URL("../../../../docs/settings.md", import.meta.url), "utf8");
  for (const [key, schema] of Object.entries(settingsSchema.properties ?? {})) {
    expect([key, schema.description]).toEqual([key, expect.stringMatching(/\.$/)]);
    expect(docs, key).toContain(key);
  }
});
