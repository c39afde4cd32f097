import type { WorkspaceFiles } from "../files/workspace-files.ts";
import { messageOf } from "../lib/error.ts";
import { isRecord } from "../messages/api-shape.ts";
import { fitMedia } from "../messages/media/fit-media.ts";
import type { ToolUseId } from "../messages/message.ts";
import type { Because, Decision } from "../permissions/decision.ts";
import { invalidInputText } from "./input-schema.ts";
import type { Tool, ToolCall, ToolContext, ToolOutcome, ToolResult, Touch } from "./tool.ts";

/** What surrounds one call. */
export type CallDeps = {
  findTool(name: string): Tool | undefined;
  /** False for a tool whose schema the model has not been given yet. Default: it knows them all. */
  isLoaded?(tool: Tool): boolean;
  /** The whole decision: rules, mode, hooks, host. Never leaves a question open. */
  decide(call: DecidedCall, signal: AbortSignal): Promise<FinalDecision>;
  /** The files of one call: what the decision has looked at is what the tool reads and writes. */
  pinnedFiles(): WorkspaceFiles;
  contextOf(toolUseId: ToolUseId, signal: AbortSignal, files: WorkspaceFiles): ToolContext;
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
  files: WorkspaceFiles;
};
export type FinalDecision = Exclude<Decision, { behavior: "ask" }>;

/** At most this much of input that is no JSON is shown back to the model. Characters. */
const EXCERPT_CHARS = 200;

/** One call: validate → permission → intent → run → bound. Throws only when the journal cannot be written. */
export async function callTool(call: ToolCall, signal: AbortSignal, deps: CallDeps): Promise<ToolOutcome> {
  const tool = deps.findTool(call.name);
  if (tool === undefined) return { type: "invalid", message: `Error: No such tool available: ${call.name}` };
  if (deps.isLoaded?.(tool) === false) return { type: "invalid", message: notLoadedText(tool.name) };
  const asked = validate(tool, call);
  if (asked.type === "invalid") return asked;
  if (signal.aborted) return { type: "cancelled", reason: "abort" };

  const files = deps.pinnedFiles();
  const shown = await shownCall(tool, asked, deps.contextOf(call.id, signal, files));
  if (shown.type === "invalid") return shown;
  const decision = await deps.decide(decidedCall(tool, shown, call.id, files), signal);
  if (signal.aborted) return { type: "cancelled", reason: "abort" };
  if (decision.behavior === "deny") {
    const by = deniedBy(decision.because);
    return { type: "denied", reason: decision.message, interrupt: decision.interrupt === true, by };
  }
  // What was shown is what runs: a plan that changes while it is looked at is not the one that is approved.
  const answer = decision.updatedInput ?? (tool.shownInput === undefined ? undefined : shown.raw);
  const allowed =
    answer === undefined ? asked : validate(tool, { ...call, input: answer }, tool.parseAnswered ?? tool.parse);
  if (allowed.type === "invalid") return allowed;

  return runTool(tool, allowed, { id: call.id, signal, files }, deps);
}

const notLoadedText = (name: string): string =>
  `Error: The tool ${name} is not loaded, so its parameters are not known to you. ` +
  `Call ToolSearch with the query "select:${name}" first, then ${name} in your next answer.`;

const decidedCall = (
  tool: Tool,
  { input, raw }: Validated,
  toolUseId: ToolUseId,
  files: WorkspaceFiles,
): DecidedCall => ({
  tool,
  toolUseId,
  input: raw,
  touches: tool.touches(input),
  isReadOnly: tool.isReadOnly(input),
  files,
});

function deniedBy({ type }: Because): "user" | "host" | "mode" | "rule" {
  return type === "user" || type === "host" || type === "mode" ? type : "rule";
}

type Validated = { type: "valid"; input: unknown; raw: Record<string, unknown> };

/** The call as rules, hooks and host see it: one that cannot be shown is not asked about. */
async function shownCall(
  tool: Tool,
  asked: Validated,
  context: ToolContext,
): Promise<Validated | Extract<ToolOutcome, { type: "invalid" }>> {
  if (tool.shownInput === undefined) return asked;
  try {
    return { ...asked, raw: await tool.shownInput(asked.input, context) };
  } catch (error) {
    return { type: "invalid", message: messageOf(error) };
  }
}

function validate(
  tool: Tool,
  call: ToolCall,
  parse = tool.parse,
): Validated | Extract<ToolOutcome, { type: "invalid" }> {
  if (call.unparsedInput !== undefined || !isRecord(call.input)) {
    const excerpt = (call.unparsedInput ?? JSON.stringify(call.input) ?? "").slice(0, EXCERPT_CHARS).toWellFormed();
    const what = `InputValidationError: ${tool.name} was called with input that could not be parsed as JSON.`;
    return {
      type: "invalid",
      message: `${what}\nIt began: ${excerpt}\nSend the call again, whole; make it smaller if it was cut.`,
    };
  }
  const parsed = parse(call.input);
  if (!parsed.ok) return { type: "invalid", message: invalidInputText(tool.name, parsed.issues) };
  return { type: "valid", input: parsed.input, raw: call.input };
}

async function runTool(
  tool: Tool,
  validated: Validated,
  { id, signal, files }: { id: ToolUseId; signal: AbortSignal; files: WorkspaceFiles },
  deps: CallDeps,
): Promise<ToolOutcome> {
  const { input } = validated;
  const hasEffects = !tool.isReadOnly(input);
  if (hasEffects) await deps.recordIntent(decidedCall(tool, validated, id, files));
  if (signal.aborted) return { type: "cancelled", reason: "abort" };
  let outcome: ToolOutcome;
  try {
    const result = await withFittingMedia(await tool.run(input, deps.contextOf(id, signal, files)), signal);
    outcome = { type: "done", result: await deps.boundResult(tool, id, result) };
  } catch (error) {
    outcome = signal.aborted ? { type: "cancelled", reason: "abort" } : { type: "failed", message: messageOf(error) };
  }
  if (hasEffects) await deps.recordOutcome(id, outcome.type === "done" ? "done" : statusOf(outcome));
  return outcome;
}

/** Whatever tool it comes from: a picture that the API refuses would spoil every later request. */
async function withFittingMedia(result: ToolResult, signal: AbortSignal): Promise<ToolResult> {
  if (typeof result.content === "string") return result;
  const { content } = await fitMedia(result.content, { signal });
  return { ...result, content };
}

const statusOf = (outcome: ToolOutcome) => (outcome.type === "cancelled" ? "cancelled" : "failed");
