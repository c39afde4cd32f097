import type { Prompt, Refusal } from "../run-turns.ts";
import { decodeUtf8 } from "../stdin.ts";
import { UsageError } from "../usage-error.ts";
import type { ControlResponse } from "./control-response.ts";
import { readLines, TOO_LONG } from "./lines.ts";

/**
 * The prompts of a host: user messages, one JSON object a line; what cannot be read is a refusal in its place. Ends when
 * standard input does. A request for control is answered by `respond`.
 */
export async function* userMessages(
  stdin: AsyncIterable<Uint8Array>,
  respond: (response: ControlResponse) => Promise<void>,
): AsyncGenerator<Prompt | Refusal> {
  let number = 0;
  for await (const bytes of readLines(stdin)) {
    number++;
    const line = readLine(bytes, `standard input, line ${number}`);
    if (line === undefined) continue;
    if ("type" in line) await respond(line);
    else yield line;
  }
}

/** undefined: a line that asks for nothing. */
function readLine(bytes: Uint8Array | typeof TOO_LONG, place: string): Prompt | Refusal | ControlResponse | undefined {
  let isPrompt = false;
  try {
    if (bytes === TOO_LONG) throw new UsageError(`${place} has more than 64 MB: send smaller messages`);
    const line = decodeUtf8(bytes, place).trim();
    if (line === "") return undefined;
    const frame = parseObject(line, place);
    isPrompt = frame["type"] === "user";
    return readFrame(frame, place);
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message, isPrompt };
    throw error;
  }
}

function parseObject(line: string, place: string): Record<string, unknown> {
  const example = '{"type":"user","message":{"role":"user","content":"…"}}';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new UsageError(`${place} is not JSON: write one object a line, such as ${example}`, { cause: error });
  }
  if (isRecord(value)) return value;
  throw new UsageError(`${place} is not a JSON object: write one a line, such as ${example}`);
}

function readFrame(frame: Record<string, unknown>, place: string): Prompt | ControlResponse | undefined {
  const { type } = frame;
  switch (type) {
    case "user":
      return promptOf(frame, place);
    case "control_request":
      return refusedControl(frame, place);
    case "keep_alive":
    case "control_response": // nothing here has asked
    case "control_cancel_request": // every request has been answered
      return undefined;
    default:
      throw new UsageError(`${place}: type ${shown(type)} is not known here; send "user"`);
  }
}

function promptOf({ message, uuid }: Record<string, unknown>, place: string): Prompt {
  if (!isRecord(message) || message["role"] !== "user") {
    throw new UsageError(`${place}: "message" must be an object with role "user" and a content`);
  }
  if (uuid !== undefined && typeof uuid !== "string") throw new UsageError(`${place}: "uuid" must be text`);
  const { content } = message;
  if (typeof content !== "string" && !isBlocks(content)) {
    throw new UsageError(`${place}: "message.content" must be text or a list of blocks that have a type`);
  }
  return { content, place, ...(uuid === undefined ? {} : { uuid }) };
}

function refusedControl({ request_id, request }: Record<string, unknown>, place: string): ControlResponse {
  if (typeof request_id !== "string") throw new UsageError(`${place}: "request_id" must be text`);
  const subtype = isRecord(request) ? request["subtype"] : undefined;
  const error = `control request ${shown(subtype)} is not supported: only user messages are`;
  return { type: "control_response", response: { subtype: "error", request_id, error } };
}

const MAX_SHOWN_CHARS = 100;
const shown = (value: unknown): string => `${JSON.stringify(value)}`.slice(0, MAX_SHOWN_CHARS).toWellFormed();

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isBlocks = (value: unknown): value is { type: string; [field: string]: unknown }[] =>
  Array.isArray(value) && value.every((block) => isRecord(block) && typeof block["type"] === "string");
