import * as z from "zod";
import { stopReasons } from "../../messages/message.ts";
import { placeholdersIn } from "./placeholders.ts";

/** What a scenario may hold, as a schema. Loaded only when a scenario is read. */

const MAX_STEPS = 10_000;
const MAX_DELAY_MS = 24 * 60 * 60 * 1_000;
const MAX_FAULT_TIMES = 1_000;

const toolName = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/, "a tool name has 1 to 128 letters, digits, _ or -");
const toolUseId = z.string().regex(/^[a-zA-Z0-9_-]+$/, "an id has letters, digits, _ or -");
const tokens = z.number().int().min(0);

const expectation = strictRecord({
  lastUserText: z.string().exactOptional(),
  lastResult: strictRecord({
    contains: z.string().exactOptional(),
    isError: z.boolean().exactOptional(),
  }).exactOptional(),
  toolsInclude: z.array(z.string()).exactOptional(),
});

const capture = z.record(
  z.string().regex(/^\w+$/, "a name has letters, digits or _"),
  z.string().refine(isRegularExpression, "not a regular expression"),
);

const usage = strictRecord({
  input: tokens.exactOptional(),
  output: tokens.exactOptional(),
  cacheRead: tokens.exactOptional(),
  cacheWrite5m: tokens.exactOptional(),
  cacheWrite1h: tokens.exactOptional(),
  thinking: tokens.exactOptional(),
});

const fault = strictRecord({
  type: z.enum(["status", "cut", "stall", "error_event"]),
  afterBlocks: z.number().int().min(0).exactOptional(),
  times: z.number().int().min(1).max(MAX_FAULT_TIMES).exactOptional(),
  status: z.number().int().min(400).max(599).exactOptional(),
  retryAfterMs: z.number().int().min(0).max(MAX_DELAY_MS).exactOptional(),
  message: z.string().exactOptional(),
});

// One object with all fields instead of a union: a union's errors cannot say which field of which kind is wrong.
const block = strictRecord({
  text: z.string().optional(),
  thinking: z.string().optional(),
  tool: toolName.optional(),
  input: z.record(z.string(), z.unknown()).optional(),
  id: toolUseId.optional(),
}).transform((fields, context) => {
  const { text, thinking, tool, input, id } = fields;
  const isTool = tool !== undefined;
  const isOne = [text, thinking, tool].filter((each) => each !== undefined).length === 1;
  if (isOne && isTool) return { tool, input: input ?? {}, ...(id === undefined ? {} : { id }) };
  const isBare = input === undefined && id === undefined;
  if (isOne && isBare && text !== undefined) return { text };
  if (isOne && isBare && thinking !== undefined) return { thinking };
  context.addIssue("a block is one of {text}, {thinking} or {tool, input, id?}");
  return z.NEVER;
});

const step = strictRecord({
  expect: expectation.exactOptional(),
  capture: capture.exactOptional(),
  answer: z.array(block),
  stop: z.enum([...stopReasons, "unknown"]).exactOptional(),
  usage: usage.exactOptional(),
  fault: fault
    .refine((each) => each.type !== "status" || each.status !== undefined, {
      path: ["status"],
      error: "a fault of type status needs a status, such as 529",
    })
    .exactOptional(),
  delayMs: z.number().int().min(0).max(MAX_DELAY_MS).exactOptional(),
});

const scenario = strictRecord({
  version: z.literal(1, "write version: 1"),
  name: z.string().min(1).exactOptional(),
  steps: z.array(step).min(1, "a scenario has at least one step").max(MAX_STEPS).superRefine(refuseUnknownNames),
  strict: z.boolean().exactOptional(),
  smallModel: z.array(strictRecord({ contains: z.string().exactOptional(), answer: z.string() })).exactOptional(),
});

/** In a scenario that captures values, a name that nothing has captured so far is a slip of the pen. */
function refuseUnknownNames(steps: readonly z.infer<typeof step>[], context: z.RefinementCtx): void {
  if (steps.every((each) => each.capture === undefined)) return;
  const known = new Set<string>();
  for (const [index, { capture: captured = {}, answer }] of steps.entries()) {
    for (const name of Object.keys(captured)) known.add(name);
    const unknown = placeholdersIn(answer).filter((name) => !known.has(name));
    if (unknown.length === 0) continue;
    const message = `nothing has captured ${unknown.join(", ")} so far; captured: ${[...known].join(", ") || "nothing"}`;
    context.addIssue({ code: "custom", path: [index, "answer"], message });
  }
}

type Scenario = z.infer<typeof scenario> & { name: string };
type Checked = { ok: true; scenario: Scenario } | { ok: false; issues: readonly string[] };

export function checkScenario(value: unknown, name: string): Checked {
  const parsed = scenario.safeParse(value);
  if (parsed.success) return { ok: true, scenario: { name, ...parsed.data } };
  return { ok: false, issues: parsed.error.issues.map(explain) };
}

function explain(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? "the scenario" : z.core.toDotPath(issue.path);
  return `${place}: ${issue.message}`;
}

/** An object without other keys; the error for one names those it may have. */
function strictRecord<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `unknown key ${issue.keys.map((key: string) => `"${key}"`).join(", ")}; known keys: ${Object.keys(shape).join(", ")}`
        : undefined,
  });
}

function isRegularExpression(source: string): boolean {
  try {
    new RegExp(source);
    return true;
  } catch {
    return false;
  }
}
