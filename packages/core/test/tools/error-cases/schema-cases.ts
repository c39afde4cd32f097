import { uses } from "@pawl/core/testing";
import { builtinTools } from "../../../src/tools/builtin/builtin-tools.ts";

type Schema = { properties: Readonly<Record<string, { type?: string }>>; required?: readonly string[] };

type SchemaCase = { tool: string; what: string; input: Record<string, unknown>; says: string };

const samples: Readonly<Record<string, unknown>> = {
  string: "x",
  number: 1,
  integer: 1,
  boolean: true,
  array: [],
  object: {},
};

/** The calls that every schema must refuse: an unknown parameter, each required one missing, and each of another type. */
export function schemaCases(): SchemaCase[] {
  return builtinTools().flatMap(({ name: tool, inputSchema }) => {
    const { properties, required = [] } = inputSchema as Schema; // every input is an object
    const fitting = Object.fromEntries(required.map((name) => [name, samples[properties[name]?.type ?? ""]]));
    const missing = required.map((name) => {
      const { [name]: _, ...input } = fitting;
      return { tool, what: `without ${name}`, input, says: `The required parameter \`${name}\` is missing` };
    });
    const wrong = Object.entries(properties).map(([name, { type = "" }]) => {
      const other = type === "string" ? 7 : "seven";
      const says = `The parameter \`${name}\` type is expected as \`${type}\` but provided as \`${typeof other}\``;
      return { tool, what: `with a ${typeof other} for ${name}`, input: { ...fitting, [name]: other }, says };
    });
    const says = "An unexpected parameter `nonsense` was provided";
    return [{ tool, what: "with more", input: { ...fitting, nonsense: 1 }, says }, ...missing, ...wrong];
  });
}

/** All in one answer. */
export const inOneAnswer = (cases: readonly SchemaCase[]) => cases.map(({ tool, input }) => uses(tool, input));
