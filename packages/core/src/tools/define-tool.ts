import type { FromSchema, JSONSchema } from "json-schema-to-ts";
import { checkInput } from "./input-schema.ts";
import type { Tool, ToolContext, ToolResult, Touch } from "./tool.ts";

/** A property with a `default` stays optional: the tool fills it in where it reads it. */
type InputOf<Schema extends JSONSchema> = FromSchema<Schema, { keepDefaultedPropertiesOptional: true }>;

type ToolSpec<Schema extends JSONSchema> = {
  name: string;
  description: string;
  inputSchema: Schema;
  maxResultChars: number;
  failureCancelsSiblings?: boolean;
  isReadOnly(input: InputOf<Schema>): boolean;
  isConcurrencySafe(input: InputOf<Schema>): boolean;
  touches(input: InputOf<Schema>): readonly Touch[];
  run(input: InputOf<Schema>, context: ToolContext): Promise<ToolResult>;
};

/** A built-in tool from its record. The input type follows from the schema, and no schema library is loaded at start. */
export function defineTool<const Schema extends JSONSchema & object>(spec: ToolSpec<Schema>): Tool<InputOf<Schema>> {
  return {
    ...spec,
    parse(input) {
      const issues = checkInput(spec.inputSchema, input);
      // The schema has just said that `input` has this type.
      return issues.length > 0 ? { ok: false, issues } : { ok: true, input: input as InputOf<Schema> };
    },
  };
}
