import type { JournalEntry } from "../../src/history/journal.ts";
import { type ContentBlock, type Message, type ModelId, textOf, type Uuid } from "../../src/messages/message.ts";
import type { ModelFailure } from "../../src/models/failure.ts";
import type { Model } from "../../src/models/model.ts";
import { type Answering, functionModel } from "../../src/models/scripted/function-model.ts";
import type { Answer } from "../../src/models/scripted/play-answer.ts";
import type { QueryConfig } from "../../src/query/config.ts";
import type { QueryDeps } from "../../src/query/deps.ts";
import type { QueryEvent } from "../../src/query/event.ts";
import { query } from "../../src/query/query.ts";
import { initialState } from "../../src/query/state.ts";
import type { Terminal, Transition } from "../../src/query/transition.ts";

/** One turn of the bare loop, for tests: a model, and what stands in for the engine. The clock moves by what is slept. */
export type TurnSetup = Partial<
  Pick<
    QueryDeps,
    | "failureHooks"
    | "autocompact"
    | "refreshCredentials"
    | "runTool"
    | "stopHooks"
    | "spent"
    | "hasOpenWork"
    | "summarizeToolUse"
  >
> & {
  config?: Partial<QueryConfig>;
  signal?: AbortSignal;
  model?: Model;
  /** Instead of a model: answers by a function, whose requests are not checked. */
  answers?: (index: number) => Answer;
  first?: ContentBlock[];
  fallbacks?: readonly string[];
  unattendedMs?: number;
};

export type TurnOutcome = {
  messages: Message[];
  /** Without what each response reported … */
  journal: JournalEntry[];
  /** … which is here. */
  ledger: JournalEntry[];
  events: QueryEvent[];
  terminal: Terminal | undefined;
  transitions: Transition[];
  /** The text of each message that has any. */
  texts: string[];
  /** Milliseconds. */
  waits: number[];
  requests: number;
};

export async function runTurn(setup: TurnSetup): Promise<TurnOutcome> {
  const { answers } = setup;
  const answering: Answering = (_request, index) => answers?.(index) ?? { blocks: [] };
  const model = setup.model ?? functionModel(answering, { isChecked: false });
  const journal: JournalEntry[] = [];
  const ledger: JournalEntry[] = [];
  const waits: number[] = [];
  let now = 0;
  let uuids = 0;
  let requests = 0;
  const uuid = () => `u${++uuids}` as Uuid;
  const deps: QueryDeps = {
    callModel(request, signal) {
      requests++;
      return model.stream(request, signal);
    },
    runTool: setup.runTool ?? (async () => ({ type: "done", result: { content: "x" } })),
    boundResults: async (results) => results,
    ...(setup.failureHooks ? { failureHooks: setup.failureHooks } : {}),
    ...(setup.summarizeToolUse ? { summarizeToolUse: setup.summarizeToolUse } : {}),
    stopHooks: setup.stopHooks ?? (async () => ({ type: "pass" })),
    autocompact: setup.autocompact ?? (async () => undefined),
    refreshCredentials: setup.refreshCredentials ?? (async () => false),
    takeQueued: () => [],
    spent: setup.spent ?? (() => ({ costUsd: 0, tokens: 0 })),
    hasOpenWork: setup.hasOpenWork ?? (() => false),
    async record(entry) {
      (entry.type === "ledger" ? ledger : journal).push(entry);
    },
    uuid,
    now: () => now,
    async sleep(ms) {
      waits.push(ms);
      now += ms;
    },
    random: () => 0,
  };
  const messages: Message[] = [{ role: "user", uuid: uuid(), content: setup.first ?? [{ type: "text", text: "go" }] }];
  const models = [model.id, ...(setup.fallbacks ?? [])].map((id) => ({ id: id as ModelId, limits: model.limits }));
  const turn = query(
    initialState(messages, messages[0]?.uuid ?? null),
    deps,
    {
      tools: new Map(),
      toolSchemas: [],
      system: [],
      models,
      includeRaw: false,
      durable: false,
      source: "main",
      consumedCommands: [],
      ...setup.config,
      ...(setup.unattendedMs === undefined ? {} : { unattendedUntil: setup.unattendedMs }),
    },
    setup.signal ?? new AbortController().signal,
  );
  const events: QueryEvent[] = [];
  let terminal: Terminal | undefined;
  for (;;) {
    const next = await turn.next();
    if (next.done) {
      terminal = next.value;
      break;
    }
    events.push(next.value);
  }
  const transitions = events.flatMap((event) => (event.type === "transition" ? [event.transition] : []));
  const texts = messages.map(({ content }) => textOf(content)).filter((text) => text !== "");
  return { messages, journal, ledger, events, terminal, transitions, texts, waits, requests };
}

/** One turn, with the names of its transitions. */
export async function transitionsOf(setup: TurnSetup) {
  const turn = await runTurn(setup);
  return { ...turn, names: turn.transitions.map(({ type }) => type) };
}

export const overloaded = {
  type: "overloaded",
  status: 529,
  phase: "headers",
  message: "Overloaded",
} as const satisfies ModelFailure;
