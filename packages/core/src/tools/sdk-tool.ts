import { createRequire } from "node:module";
import type { z } from "zod";
import { PawlError } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import { asJson } from "../messages/json-value.ts";
import { fromApiContent } from "../messages/normalize.ts";
import type { ParsedInput, Tool, ToolResult } from "./tool.ts";

/** Results of in-process tools over this are stored and shown in part. Characters. */
const MAX_RESULT_CHARS = 50_000;

/** A zod shape (`{ city: z.string() }`), or a JSON Schema of type object. */
type ToolInputSchema = z.ZodRawShape | { type: "object"; [keyword: string]: unknown };

type InputOf<Schema> = Schema extends { type: "object" }
  ? Record<string, unknown>
  : Schema extends z.ZodRawShape
    ? z.infer<z.ZodObject<Schema>>
    : never;

type SdkToolOptions = {
  /** Changes nothing: may run without asking where reads may. Default false. */
  isReadOnly?: boolean;
  /** May run beside others and while the answer still streams. Default: as `isReadOnly`. */
  isConcurrencySafe?: boolean;
  /** The model gets name and parameters only when it searches for them: for the many tools that few tasks need. Default false. */
  deferred?: boolean;
};

/**
 * An in-process tool. The handler gets input that fits the schema, and a signal that aborts with the turn; what it throws
 * becomes an error result for the model.
 *
 * @throws PawlError `tool_invalid` for a name the API refuses or a schema that cannot be read.
 */
export function tool<const Schema extends ToolInputSchema>(
  name: string,
  description: string,
  inputSchema: Schema,
  handler: (input: InputOf<Schema>, about: { signal: AbortSignal; toolUseId: string }) => Promise<string | ToolResult>,
  options: SdkToolOptions = {},
): Tool<InputOf<Schema>> {
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(name)) {
    throw new PawlError("tool_invalid", `Tool name "${name}" is refused by the API: use 1–128 letters, digits, _ or -`);
  }
  const schema = readSchema<InputOf<Schema>>(name, inputSchema);
  const isReadOnly = options.isReadOnly ?? false;
  return {
    name,
    description,
    inputSchema: schema.jsonSchema,
    maxResultChars: MAX_RESULT_CHARS,
    origin: "sdk",
    ...(options.deferred === undefined ? {} : { deferred: options.deferred }),
    parse: schema.parse,
    isReadOnly: () => isReadOnly,
    isConcurrencySafe: () => options.isConcurrencySafe ?? isReadOnly,
    touches: () => [{ type: "other" }],
    async run(input, { signal, toolUseId }) {
      return readResult(name, await handler(input, { signal, toolUseId }));
    },
  };
}

/** The handler is the embedder's code: what it gives is looked at, whatever its type says. */
function readResult(name: string, result: unknown): ToolResult {
  if (typeof result === "string") return { content: result };
  if (isRecord(result) && (typeof result["content"] === "string" || Array.isArray(result["content"]))) {
    const { content, isError, structured } = result as ToolResult;
    return {
      content: typeof content === "string" ? content : fromApiContent(asJson(content)),
      ...(isError === true ? { isError } : {}),
      ...(structured === undefined ? {} : { structured }),
    };
  }
  throw new PawlError(
    "tool_invalid",
    `The tool ${name} gave no result: its handler must give a text, or { content: … }`,
  );
}

type ReadSchema<Input> = { jsonSchema: object; parse(input: unknown): ParsedInput<Input> };

// Loaded here and not at the top: both cost 40–50 ms, and only programs with tools of their own need one.
const load = createRequire(import.meta.url);

function readSchema<Input>(name: string, schema: ToolInputSchema): ReadSchema<Input> {
  const wrong = wrongSchema(schema);
  if (wrong !== undefined) throw new PawlError("tool_invalid", `The input schema of tool "${name}" ${wrong}`);
  try {
    return isJsonSchema(schema) ? ajvSchema(schema) : zodSchema(schema);
  } catch (error) {
    throw new PawlError("tool_invalid", `The input schema of tool "${name}" cannot be read: ${String(error)}`, {
      cause: error,
    });
  }
}

/** The usual mistakes, in words. */
function wrongSchema(schema: ToolInputSchema): string | undefined {
  if ("_zod" in schema || "_def" in schema) return "is a zod object: give its shape, { city: z.string() }";
  if (isJsonSchema(schema)) return undefined;
  const foreign = Object.entries(schema).find(([, value]) => !isRecord(value) || !("_zod" in value));
  return (
    foreign &&
    `has "${foreign[0]}", which is no zod 4 type: give a shape of zod 4 types, or a JSON Schema with type "object"`
  );
}

const isJsonSchema = (schema: ToolInputSchema): schema is { type: "object" } =>
  "type" in schema && schema["type"] === "object";

function zodSchema<Input>(shape: z.ZodRawShape): ReadSchema<Input> {
  const { z: zod } = load("zod") as typeof import("zod");
  const object = zod.strictObject(shape);
  const { $schema: _, ...jsonSchema } = zod.toJSONSchema(object, { io: "input" });
  return {
    jsonSchema,
    parse(input) {
      const parsed = object.safeParse(input);
      // The shape is the one that `Input` was made from.
      if (parsed.success) return { ok: true, input: parsed.data as Input };
      return {
        ok: false,
        issues: parsed.error.issues.map((issue) => `${issue.path.join(".") || "input"}: ${issue.message}`),
      };
    },
  };
}

function ajvSchema<Input>(schema: object): ReadSchema<Input> {
  const { Ajv } = load("ajv") as typeof import("ajv");
  const validate = new Ajv({ allErrors: true, strict: false }).compile<Input>(schema);
  return {
    jsonSchema: schema,
    parse(input) {
      if (validate(input)) return { ok: true, input };
      const issues = (validate.errors ?? []).map(
        (error) => `${error.instancePath || "input"}: ${error.message ?? error.keyword}`,
      );
      return { ok: false, issues };
    },
  };
}
