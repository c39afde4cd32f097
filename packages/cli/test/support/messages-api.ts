import type { ServerResponse } from "node:http";
import { type ApiBlock, type ApiMessage, violations } from "@pawl/core";
import { type LoopbackServer, loopbackServer, type Received } from "../../../core/test/support/loopback-server.ts";

/** What a request of ours holds. */
export type Body = {
  model: string;
  tools?: ApiBlock[];
  system?: ApiBlock[];
  messages: ApiMessage[];
  max_tokens: number;
  stream: boolean;
};

type Event = { type: string; [field: string]: unknown };

/** How the server answers one request: with a stream of events, or with a refusal. */
export type Reply = {
  status: number;
  headers: Record<string, string>;
  body: readonly Event[] | object;
  /** The stream stays open after its events. */
  stalls?: boolean;
};

type MessagesApi = AsyncDisposable & {
  /** Points the program to this server. */
  env: Record<string, string>;
  /** The requests that came, in order. */
  bodies: Body[];
};

export const MODEL = "claude-sonnet-5-5";
const KEY = "test-key-0123456789";
const MAX_CACHE_MARKS = 4;

/**
 * The Messages API on loopback, giving the replies in order. As the real one it refuses a request that breaks its rules;
 * one more than there are replies for, too.
 */
export async function messagesApi(...replies: readonly Reply[]): Promise<MessagesApi> {
  const bodies: Body[] = [];
  const server: LoopbackServer = await loopbackServer((response, received) => {
    const body: Body = JSON.parse(received.body);
    bodies.push(body);
    const faults = faultsOf(received, body);
    const reply = faults.length > 0 ? undefined : replies[bodies.length - 1];
    send(response, reply ?? refuses(400, "invalid_request_error", [...faults, "no reply is left"].join("; ")));
  });
  const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url, PAWL_RETRY_BASE_MS: "1" };
  return { env, bodies, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

type Content = { text: string } | { thinking: string } | { id: string; tool: string; input: object };
type More = { usage?: object; stop?: string; headers?: Record<string, string>; id?: string };

/** A whole answer of these blocks. */
export function answers(content: readonly Content[], { usage, stop, headers, id = "msg_1" }: More = {}): Reply {
  const reason = stop ?? (content.some((block) => "tool" in block) ? "tool_use" : "end_turn");
  const body = [
    start(id),
    ...content.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: reason, stop_sequence: null },
      usage: { output_tokens: 20, ...usage },
    },
    { type: "message_stop" },
  ];
  return { status: 200, headers: { "request-id": `req_${id}`, ...headers }, body };
}

export const says = (text: string, more: More = {}): Reply => answers([{ text }], more);

/** An answer with one tool use, whose id and message id are `id`. */
export const uses = (id: string, tool: string, input: object, more: More = {}): Reply =>
  answers([{ id: `toolu_${id}`, tool, input }], { id: `msg_${id}`, ...more });

export const refuses = (status: number, type: string, message: string, headers = {}): Reply => ({
  status,
  headers: { "request-id": "req_refused", ...headers },
  body: { type: "error", error: { type, message } },
});

/** The answer begins, with `text`, and does not go on. */
export const stalls = (text: string): Reply => ({
  status: 200,
  headers: {},
  body: [start("msg_1"), ...blockEvents({ text }, 0).slice(0, -1)],
  stalls: true,
});

/** An answer whose tool use breaks off in its input, although the message ends. */
export function cutToolUse(id: string): Reply {
  const whole = uses(id, "Write", { file_path: "a", content: "x" });
  const events = whole.body as Event[];
  return { ...whole, body: events.filter((event) => event.type !== "content_block_stop") };
}

/** The events that a reply sends, as a consumer sees them. */
export const eventsOf = ({ body }: Reply): readonly Event[] => (Array.isArray(body) ? body : []);

/** What the provider caches by: tools, then system, then messages, block by block, cache marks left out. */
export function canonical({ tools = [], system = [], messages }: Body): string[] {
  const unmarked = ({ cache_control: _, ...block }: ApiBlock) => JSON.stringify(block);
  const blocks = messages.flatMap(({ role, content }) =>
    typeof content === "string" ? [`${role} ${content}`] : content.map((block) => `${role} ${unmarked(block)}`),
  );
  return [...tools.map(unmarked), ...system.map(unmarked), ...blocks];
}

export const cacheMarks = (body: Body): number => JSON.stringify(body).split('"cache_control":').length - 1;

function start(id: string): Event {
  const usage = { input_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 1 };
  const message = { id, type: "message", role: "assistant", model: MODEL, content: [], stop_reason: null, usage };
  return { type: "message_start", message };
}

function blockEvents(content: Content, index: number): Event[] {
  const [opening, deltas] = pieces(content);
  return [
    { type: "content_block_start", index, content_block: opening },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function pieces(content: Content): [opening: object, deltas: object[]] {
  if ("text" in content) {
    return [{ type: "text", text: "" }, halves(content.text).map((text) => ({ type: "text_delta", text }))];
  }
  if ("thinking" in content) {
    const { thinking } = content;
    const deltas = [
      { type: "thinking_delta", thinking },
      { type: "signature_delta", signature: "c2ln" },
    ];
    return [{ type: "thinking", thinking: "", signature: "" }, deltas];
  }
  const { id, tool, input } = content;
  const deltas = halves(JSON.stringify(input)).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return [{ type: "tool_use", id, name: tool, input: {} }, deltas];
}

const halves = (text: string): string[] => {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
};

function send(response: ServerResponse, { status, headers, body, stalls: isOpen }: Reply): void {
  if (!Array.isArray(body)) {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
    return;
  }
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  for (const event of body) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  if (!isOpen) response.end();
}

function faultsOf({ method, url, headers }: Received, body: Body): string[] {
  const order = Object.keys(body).filter((key) => ["tools", "system", "messages"].includes(key));
  const isInOrder = order.join() === ["tools", "system", "messages"].filter((key) => key in body).join();
  const marks = cacheMarks(body);
  return [
    ...(method === "POST" && url === "/v1/messages" ? [] : [`${method} ${url}`]),
    ...(headers["x-api-key"] === KEY ? [] : ["the key is missing"]),
    ...(headers["anthropic-version"] === "2023-06-01" ? [] : ["the version is missing"]),
    ...(isInOrder ? [] : [`the order is ${order}`]),
    ...(marks <= MAX_CACHE_MARKS ? [] : [`${marks} cache marks`]),
    ...violations(body.messages, { as: "request" }).map(({ at, message }) => `${at}: ${message}`),
  ];
}
