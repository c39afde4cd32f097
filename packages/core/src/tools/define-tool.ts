import { checkInput } from "./input-schema.ts";
import type { Tool, ToolContext, ToolResult, Touch } from "./tool.ts";

/** The TypeScript type of what a schema accepts, for the part of JSON Schema that `checkInput` knows. */
export type InputOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { type: "string" }
    ? string
    : Schema extends { type: "number" | "integer" }
      ? number
      : Schema extends { type: "boolean" }
        ? boolean
        : Schema extends { type: "array"; items: infer Item }
          ? readonly InputOf<Item>[]
          : Schema extends { type: "object"; properties: infer Properties }
            ? ObjectOf<Properties, Schema extends { required: readonly (infer Name)[] } ? Name : never>
            : Schema extends { type: "object" }
              ? Readonly<Record<string, unknown>>
              : unknown;

/** A property with a `default` stays optional: the tool fills it in where it reads it. */
type ObjectOf<Properties, Required> = {
  [Name in keyof Properties as Name extends Required ? Name : never]: InputOf<Properties[Name]>;
} & {
  [Name in keyof Properties as Name extends Required ? never : Name]?: InputOf<Properties[Name]>;
};

type ObjectSchema = { type: "object"; properties: Readonly<Record<string, object>>; additionalProperties: false };

type ToolSpec<Schema extends ObjectSchema> = {
  name: string;
  aliases?: readonly string[];
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
export function defineTool<const Schema extends ObjectSchema>(spec: ToolSpec<Schema>): Tool<InputOf<Schema>> {
  return {
    ...spec,
    parse(input) {
      const issues = checkInput(spec.inputSchema, input);
      // The schema has just said that `input` has this type.
      return issues.length > 0 ? { ok: false, issues } : { ok: true, input: input as InputOf<Schema> };
    },
  };
}
