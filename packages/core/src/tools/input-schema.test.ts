import { Ajv } from "ajv";
import fc from "fast-check";
import { expect, test } from "vitest";
import { builtinTools } from "./builtin/builtin-tools.ts";
import { checkInput, invalidInputText, unknownKeywords } from "./input-schema.ts";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", description: "A name." },
    mode: { type: "string", enum: ["fast", "slow"], default: "fast" },
    count: { type: "integer", minimum: 1, maximum: 9 },
    ratio: { type: "number" },
    force: { type: "boolean" },
    todos: {
      type: "array",
      minItems: 1,
      maxItems: 2,
      items: {
        type: "object",
        properties: { status: { type: "string", enum: ["open", "done"] }, rank: { type: "integer" } },
        required: ["status"],
        additionalProperties: false,
      },
    },
  },
  required: ["name"],
  additionalProperties: false,
} as const;

test("each kind of mistake has the public wording", () => {
  expect(checkInput(schema, {})).toEqual(["The required parameter `name` is missing"]);
  expect(checkInput(schema, { name: "n", nome: 1 })).toEqual(["An unexpected parameter `nome` was provided"]);
  expect(checkInput(schema, { name: "n", ratio: "2" })).toEqual([
    "The parameter `ratio` type is expected as `number` but provided as `string`",
  ]);
  expect(checkInput(schema, { name: null, count: 1.5, force: [], todos: {} })).toEqual([
    "The parameter `name` type is expected as `string` but provided as `null`",
    "The parameter `count` type is expected as `integer` but provided as `number`",
    "The parameter `force` type is expected as `boolean` but provided as `array`",
    "The parameter `todos` type is expected as `array` but provided as `object`",
  ]);
  expect(checkInput(schema, "text")).toEqual(["The input type is expected as `object` but provided as `string`"]);
});

test("values out of bounds and not in a list say what is allowed", () => {
  expect(checkInput(schema, { name: "n", mode: "medium", count: 0, todos: [] })).toEqual([
    "The parameter `mode` must be one of `fast`, `slow` but is `medium`",
    "The parameter `count` must be at least 1 but is 0",
    "The parameter `todos` must have at least 1 item but has 0",
  ]);
  expect(checkInput(schema, { name: "n", count: 10, todos: Array(3).fill({ status: "open" }) })).toEqual([
    "The parameter `count` must be at most 9 but is 10",
    "The parameter `todos` must have at most 2 items but has 3",
  ]);
});

test("a mistake deep inside is named by its path", () => {
  expect(checkInput(schema, { name: "n", todos: [{ status: "open" }, { rank: "x", extra: 1 }] })).toEqual([
    "The required parameter `todos[1].status` is missing",
    "An unexpected parameter `todos[1].extra` was provided",
    "The parameter `todos[1].rank` type is expected as `integer` but provided as `string`",
  ]);
});

test("right input has no issues, and names of Object's own are nothing special", () => {
  expect(checkInput(schema, { name: "n", count: 9, todos: [{ status: "done" }] })).toEqual([]);
  expect(checkInput(schema, JSON.parse('{"name":"n","__proto__":1,"toString":2}'))).toEqual([
    "An unexpected parameter `__proto__` was provided",
    "An unexpected parameter `toString` was provided",
  ]);
});

test("issues are bounded, and a long wrong value is shown cut", () => {
  const flood = { name: "n", ...Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`x${index}`, 1])) };
  expect(checkInput(schema, flood)).toHaveLength(20);
  expect(checkInput(schema, { name: "n", mode: "😀".repeat(1_000) }).join().length).toBeLessThan(200);
});

test("the text for the model counts its issues", () => {
  expect(invalidInputText("Read", ["The required parameter `file_path` is missing"])).toBe(
    "InputValidationError: Read failed due to the following issue:\nThe required parameter `file_path` is missing",
  );
  expect(invalidInputText("Read", ["a", "b"])).toBe(
    "InputValidationError: Read failed due to the following issues:\na\nb",
  );
});

test("no built-in tool uses a keyword that is not checked", () => {
  expect(builtinTools().flatMap((tool) => unknownKeywords(tool.inputSchema, tool.name))).toEqual([]);
});

test("a keyword that is not checked is found wherever it stands", () => {
  expect(
    unknownKeywords({
      type: "object",
      properties: { a: { type: "string", pattern: "x" }, b: { type: "array", items: { type: ["string", "null"] } } },
      additionalProperties: { type: "string" },
    }),
  ).toEqual(["input: additionalProperties", "input.a: pattern", "input.b[]: type"]);
});

test("a value is valid exactly when ajv says so", () => {
  const ajv = new Ajv({ strict: false, ownProperties: true });
  const isValid = ajv.compile(schema);
  const leaf = fc.oneof(
    fc.constantFrom("n", "fast", "slow", "open", "done", "", 0, 1, 1.5, 9, 10, -1, true, null),
    fc.jsonValue({ maxDepth: 1 }),
  );
  const todo = fc.oneof(leaf, fc.dictionary(fc.constantFrom("status", "rank", "other"), leaf, { maxKeys: 3 }));
  const property = fc.oneof(leaf, fc.array(todo, { maxLength: 3 }));
  const good = fc.record(
    {
      name: fc.string(),
      mode: fc.constantFrom("fast", "slow"),
      count: fc.integer({ min: 0, max: 10 }),
      ratio: fc.double({ noNaN: true }),
      force: fc.boolean(),
      todos: fc.array(fc.record({ status: fc.constantFrom("open", "done") }), { maxLength: 3 }),
    },
    { requiredKeys: ["name"] },
  );
  const names = fc.constantFrom(...Object.keys(schema.properties), "other", "constructor");
  const input = fc.oneof(
    leaf,
    good,
    fc.tuple(good, names, property).map(([base, name, value]) => ({ ...base, [name]: value })),
  );
  const verdicts = { valid: 0, invalid: 0 };

  fc.assert(
    fc.property(input, (value) => {
      verdicts[isValid(value) ? "valid" : "invalid"]++;
      expect(checkInput(schema, value).length === 0).toBe(isValid(value));
    }),
    { numRuns: 3_000, seed: 20_260_101 },
  );
  expect(Math.min(verdicts.valid, verdicts.invalid)).toBeGreaterThan(300);
});
