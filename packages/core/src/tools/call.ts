import { messageOf } from "../lib/error.ts";
import type { ToolUseId } from "../messages/message.ts";
import type { Because, Decision } from "../permissions/decision.ts";
import { invalidInputText } from "./input-schema.ts";
import type { Tool, ToolCall, ToolContext, ToolOutcome, ToolResult, Touch } from "./tool.ts";

/** What surrounds one call. */
export type CallDeps = {
  findTool(name: string): Tool | undefined;
  /** The whole decision: rules, mode, hooks, host. Never leaves a question open. */
  decide(call: DecidedCall, signal: AbortSignal): Promise<FinalDecision>;
  contextOf(toolUseId: ToolUseId, signal: AbortSignal): ToolContext;
  /** Resolves when durable: a tool with effects starts only then. */
  recordIntent(call: DecidedCall): Promise<void>;
  recordOutcome(toolUseId: ToolUseId, status: "done" | "failed" | "cancelled"): Promise<void>;
  boundResult(tool: Tool, toolUseId: ToolUseId, result: ToolResult): Promise<ToolResult>;
};
export type DecidedCall = {
  tool: Tool;
  toolUseId: ToolUseId;
  input: Record<string, unknown>;
  touches: readonly Touch[];
  isReadOnly: boolean;
};
export type FinalDecision = Exclude<Decision, { behavior: "ask" }>;

/** At most this much of input that is no JSON is shown back to the model. Characters. */
const EXCERPT_CHARS = 200;

/** One call: validate → permission → intent → run → bound. Throws only when the journal cannot be written. */
export async function callTool(call: ToolCall, signal: AbortSignal, deps: CallDeps): Promise<ToolOutcome> {
  const tool = deps.findTool(call.name);
  if (tool === undefined) return { type: "invalid", message: `Error: No such tool available: ${call.name}` };
  const asked = validate(tool, call);
  if (asked.type === "invalid") return asked;
  if (signal.aborted) return { type: "cancelled", reason: "abort" };

  const decision = await deps.decide(decidedCall(tool, asked, call.id), signal);
  if (signal.aborted) return { type: "cancelled", reason: "abort" };
  if (decision.behavior === "deny") {
    const by = deniedBy(decision.because);
    return { type: "denied", reason: decision.message, interrupt: decision.interrupt === true, by };
  }
  const allowed =
    decision.updatedInput === undefined ? asked : validate(tool, { ...call, input: decision.updatedInput });
  if (allowed.type === "invalid") return allowed;

  return runTool(tool, allowed, call.id, signal, deps);
}

const decidedCall = (tool: Tool, { input, raw }: Validated, toolUseId: ToolUseId): DecidedCall => ({
  tool,
  toolUseId,
  input: raw,
  touches: tool.touches(input),
  isReadOnly: tool.isReadOnly(input),
});

function deniedBy({ type }: Because): "user" | "host" | "mode" | "rule" {
  return type === "user" || type === "host" || type === "mode" ? type : "rule";
}

type Validated = { type: "valid"; input: unknown; raw: Record<string, unknown> };

function validate(tool: Tool, call: ToolCall): Validated | Extract<ToolOutcome, { type: "invalid" }> {
  if (call.unparsedInput !== undefined || !isObject(call.input)) {
    const excerpt = (call.unparsedInput ?? JSON.stringify(call.input) ?? "").slice(0, EXCERPT_CHARS).toWellFormed();
    const what = `InputValidationError: ${tool.name} was called with input that could not be parsed as JSON.`;
    return {
      type: "invalid",
      message: `${what}\nIt began: ${excerpt}\nSend the call again, whole; make it smaller if it was cut.`,
    };
  }
  const parsed = tool.parse(call.input);
  if (!parsed.ok) return { type: "invalid", message: invalidInputText(tool.name, parsed.issues) };
  return { type: "valid", input: parsed.input, raw: call.input };
}

async function runTool(
  tool: Tool,
  validated: Validated,
  id: ToolUseId,
  signal: AbortSignal,
  deps: CallDeps,
): Promise<ToolOutcome> {
  const { input } = validated;
  const hasEffects = !tool.isReadOnly(input);
  if (hasEffects) await deps.recordIntent(decidedCall(tool, validated, id));
  if (signal.aborted) return { type: "cancelled", reason: "abort" };
  let outcome: ToolOutcome;
  try {
    const result = await tool.run(input, deps.contextOf(id, signal));
    outcome = { type: "done", result: await deps.boundResult(tool, id, result) };
  } catch (error) {
    outcome = signal.aborted ? { type: "cancelled", reason: "abort" } : { type: "failed", message: messageOf(error) };
  }
  if (hasEffects) await deps.recordOutcome(id, outcome.type === "done" ? "done" : statusOf(outcome));
  return outcome;
}

const statusOf = (outcome: ToolOutcome) => (outcome.type === "cancelled" ? "cancelled" : "failed");

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
