import { createRequire } from "node:module";
import type { Ajv, ErrorObject, ValidateFunction } from "ajv";
import { messageOf, PawlError } from "../lib/error.ts";
import type { Tool } from "./tool.ts";

const STRUCTURED_OUTPUT = "StructuredOutput";

/** The result only says that the output has been taken. Characters. */
const MAX_RESULT_CHARS = 1_000;
/** More issues than these teach the model nothing new. */
const MAX_ISSUES = 20;
/** Of the values that were allowed at most this much is shown. Characters. */
const MAX_ALLOWED_CHARS = 200;

/**
 * The tool by which the model gives output in the form of `schema`. Its input is the output; a schema that the API would not
 * take for a tool, such as that of a list, is wrapped, and the output is then the input's `value`. The output is the result's
 * `structured`.
 *
 * @throws PawlError `bad_option` when `schema` is not a valid JSON Schema.
 */
export function structuredOutputTool(schema: object): Tool<unknown> {
  const validate = compile(schema);
  const isWrapped = !isToolSchema(schema);
  return {
    name: STRUCTURED_OUTPUT,
    description:
      "Gives your final answer in the form that the user's program reads. Call it once, when your work is done and nothing else is to be called: the call ends your turn. Only its input counts as the answer, not text beside it.",
    inputSchema: isWrapped ? wrapped(schema) : schema,
    maxResultChars: MAX_RESULT_CHARS,
    parse(input) {
      const output = isWrapped ? valueIn(input) : input;
      if (output !== undefined && validate(output)) return { ok: true, input: output };
      if (output === undefined) return { ok: false, issues: ["The required parameter `value` is missing"] };
      return { ok: false, issues: (validate.errors ?? []).slice(0, MAX_ISSUES).map(issueOf) };
    },
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches: () => [],
    run: async (output) => ({ content: "The output fits and has been given to the user.", structured: output }),
  };
}

// Loaded here and not at the top: it costs 40 ms, and only runs with a schema need it.
const load = createRequire(import.meta.url);

type Draft = "ajv" | "ajv/dist/2019.js" | "ajv/dist/2020.js";

/** Of a schema that does not say, the newer draft that takes it. */
function draftsOf($schema: unknown): Draft[] {
  if ($schema === undefined) return ["ajv/dist/2020.js", "ajv"];
  const name = typeof $schema === "string" ? $schema : "";
  if (name.includes("2020-12")) return ["ajv/dist/2020.js"];
  if (name.includes("2019-09")) return ["ajv/dist/2019.js"];
  if (/draft-0[67]/.test(name)) return ["ajv"];
  throw invalidSchema(`its $schema ${JSON.stringify($schema)} is not known; use draft-07, 2019-09 or 2020-12`);
}

function compile(schema: object): ValidateFunction {
  if (Array.isArray(schema)) throw invalidSchema('it is a list; give an object such as {"type": "object"}');
  // `$async` means something to ajv alone: with it nothing would be checked at once.
  const { $schema, $async: _, ...rules } = schema as Record<string, unknown>;
  let first: unknown;
  for (const draft of draftsOf($schema)) {
    try {
      return newAjv(draft).compile(rules);
    } catch (error) {
      first ??= error;
    }
  }
  throw invalidSchema(messageOf(first), first);
}

function newAjv(draft: Draft): Ajv {
  const options = { allErrors: true, strict: false, validateFormats: false, logger: false } as const;
  const { default: Class } = load(draft) as typeof import("ajv");
  return new Class(options);
}

const invalidSchema = (why: string, cause?: unknown) =>
  new PawlError("bad_option", `--json-schema is not a valid JSON Schema: ${why}`, { cause });

/** What the API takes as a tool's input schema. */
function isToolSchema(schema: object): boolean {
  const isChoice = ["anyOf", "oneOf", "allOf", "$ref"].some((keyword) => Object.hasOwn(schema, keyword));
  return "type" in schema && schema.type === "object" && !isChoice;
}

/** Definitions stay at the root, where the references in `schema` look for them. */
function wrapped(schema: object): object {
  const { $schema: _, $defs, definitions, ...value } = schema as Record<string, unknown>;
  return {
    type: "object",
    properties: { value },
    required: ["value"],
    additionalProperties: false,
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

function valueIn(input: unknown): unknown {
  if (typeof input !== "object" || input === null || !("value" in input)) return undefined;
  return input.value;
}

/** `/items/0: must be string` */
function issueOf({ instancePath, message, keyword, params }: ErrorObject): string {
  const detail = params["additionalProperty"] ?? params["allowedValues"] ?? params["allowedValue"];
  const shown = detail === undefined ? "" : ` (${JSON.stringify(detail).slice(0, MAX_ALLOWED_CHARS).toWellFormed()})`;
  return `${instancePath || "input"}: ${message ?? keyword}${shown}`;
}
