import type { JournalEntry } from "../../src/history/journal.ts";
import type { ContentBlock, Message, ModelId, StopReason, ToolUseId, Uuid } from "../../src/messages/message.ts";
import { noUsage } from "../../src/messages/message.ts";
import type { ModelEvent, ModelRequest } from "../../src/models/model.ts";
import type { QueryConfig } from "../../src/query/config.ts";
import type { QueryDeps } from "../../src/query/deps.ts";
import type { QueryEvent } from "../../src/query/event.ts";
import { query } from "../../src/query/query.ts";
import { initialState } from "../../src/query/state.ts";
import type { Terminal } from "../../src/query/transition.ts";
import type { Tool, ToolCall, ToolOutcome } from "../../src/tools/tool.ts";

/** One answer of the model, as its events. */
export type Script = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

export const text = (value: string): ContentBlock => ({ type: "text", text: value });
export const use = (id: string, name = "Safe", input: Record<string, unknown> = { id }): ContentBlock => ({
  type: "tool_use",
  id: id as ToolUseId,
  name,
  input,
});

export async function* answer(
  blocks: readonly ContentBlock[],
  stop: StopReason = "end_turn",
  more: Partial<Extract<ModelEvent, { type: "message_end" }>> = {},
): AsyncGenerator<ModelEvent> {
  yield { type: "message_start", id: `msg_${blocks.length}_${Math.random()}`, model: "m" as ModelId };
  for (const [index, block] of blocks.entries()) yield { type: "block_end", index, block };
  yield { type: "message_end", stop, usage: noUsage, ...more };
}

function fakeTool(name: string, isSafe: boolean): Tool {
  return {
    name,
    description: name,
    inputSchema: { type: "object" },
    maxResultChars: 1_000,
    failureCancelsSiblings: name === "Shell",
    parse: (input) => ({ ok: true, input }),
    isReadOnly: () => isSafe,
    isConcurrencySafe: () => isSafe,
    touches: () => [],
    run: async () => ({ content: "not used" }),
  };
}

type Harness = {
  answers: Script[];
  runTool?: (call: ToolCall, signal: AbortSignal) => Promise<ToolOutcome>;
  deps?: Partial<QueryDeps>;
  config?: Partial<QueryConfig>;
  signal?: AbortSignal;
  /** Called at each event; may return "leave" to call `return()`. */
  at?: (event: QueryEvent, count: number) => "leave" | undefined;
};

/** One turn of the bare loop from the prompt "go": its answers are scripts, and what else it touches does nothing. */
export async function run(harness: Harness) {
  const journal: JournalEntry[] = [];
  const requests: Message[][] = [];
  let uuids = 0;
  const uuid = () => `u${++uuids}` as Uuid;
  const deps: QueryDeps = {
    async *callModel(request, signal) {
      const script = harness.answers[requests.length];
      requests.push([...request.messages]);
      if (script === undefined) throw new Error("no answer left");
      yield* script(request, signal);
    },
    runTool: harness.runTool ?? (async (call) => ({ type: "done", result: { content: `result of ${call.id}` } })),
    boundResults: async (results) => results,
    stopHooks: async () => ({ type: "pass" }),
    takeQueued: () => [],
    spent: () => ({ costUsd: 0, tokens: 0 }),
    hasOpenWork: () => false,
    record: async (entry) => void journal.push(entry),
    uuid,
    now: () => 0,
    sleep: async () => {},
    random: () => 0,
    autocompact: async () => undefined,
    refreshCredentials: async () => false,
    ...harness.deps,
  };
  const tools = new Map(
    [fakeTool("Safe", true), fakeTool("Unsafe", false), fakeTool("Shell", false)].map((t) => [t.name, t]),
  );
  const config: QueryConfig = {
    tools,
    toolSchemas: [],
    system: [],
    models: [{ id: "m" as ModelId, limits: { contextTokens: 200_000, maxOutputTokens: 32_000 } }],
    includeRaw: false,
    durable: false,
    source: "main",
    consumedCommands: [],
    ...harness.config,
  };
  const messages: Message[] = [{ role: "user", uuid: uuid(), content: [text("go")] }];
  const events: QueryEvent[] = [];
  let terminal: Terminal | undefined;
  const loop = query(
    initialState(messages, messages[0]?.uuid ?? null),
    deps,
    config,
    harness.signal ?? new AbortController().signal,
  );
  for (;;) {
    const next = await loop.next();
    if (next.done) {
      terminal = next.value;
      break;
    }
    events.push(next.value);
    if (harness.at?.(next.value, events.length) === "leave") {
      await loop.return(undefined as never);
      break;
    }
  }
  const transitions = events.flatMap((event) => (event.type === "transition" ? [event.transition] : []));
  return { messages, journal, requests, events, terminal, transitions };
}

/** Id and content of every result in `messages`, in order. */
export const results = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => message.content)
    .flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, block.content]] : []));
