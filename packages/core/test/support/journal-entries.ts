import fc from "fast-check";
import type { JournalEntry } from "../../src/history/journal.ts";
import type {
  AssistantMessage,
  ContentBlock,
  Message,
  ModelId,
  ToolUseId,
  Usage,
  UserMessage,
  Uuid,
} from "../../src/messages/message.ts";

/** Journal entries for tests of what is written and read again. */

let made = 0;
/** A new one at each call; the same in each run. */
export const nextUuid = (): Uuid => `10000000-0000-4000-8000-${String(++made).padStart(12, "0")}` as Uuid;

export const toolUseId = (text: string): ToolUseId => text as ToolUseId;
export const modelId = (text: string): ModelId => text as ModelId;

export const usageOf = (input: number, output: number): Usage => ({
  input,
  output,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
});

export const prompt = (text: string, more: Partial<UserMessage> = {}): UserMessage => ({
  role: "user",
  uuid: nextUuid(),
  content: [{ type: "text", text }],
  ...more,
});

export const result = (id: string, content: string): UserMessage => ({
  role: "user",
  uuid: nextUuid(),
  content: [{ type: "tool_result", tool_use_id: toolUseId(id), content }],
});

/** One line of an answer. */
export const answer = (block: ContentBlock, more: Partial<AssistantMessage> = {}): AssistantMessage => {
  const uuid = nextUuid();
  return {
    role: "assistant",
    uuid,
    id: `msg_${uuid}`,
    model: modelId("claude-test"),
    content: [block],
    stopReason: "end_turn",
    usage: usageOf(10, 5),
    ...more,
  };
};

export const call = (id: string, name: string, input: Record<string, unknown>): ContentBlock => ({
  type: "tool_use",
  id: toolUseId(id),
  name,
  input,
});

/** Message entries, each the child of the one before. */
export function chainOf(messages: readonly Message[], first: Uuid | null = null): JournalEntry[] {
  return messages.map((message, at) => ({
    type: "message",
    message,
    parent: messages[at - 1]?.uuid ?? first,
    isSidechain: false,
  }));
}

// JSON has no -0: what a value is after one trip.
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const record = fc.dictionary(fc.string(), json, { maxKeys: 3, noNullPrototype: true });
const id = fc.uuid().map(toolUseId);
const model = fc.constantFrom("claude-a", "gpt-b").map(modelId);
const provenance = fc.record({ provider: fc.constantFrom("anthropic", "openai"), model });
const tokens = fc.nat(1_000_000);
const usage: fc.Arbitrary<Usage> = fc.record(
  { input: tokens, output: tokens, cacheRead: tokens, cacheWrite5m: tokens, cacheWrite1h: tokens, thinking: tokens },
  { requiredKeys: ["input", "output", "cacheRead", "cacheWrite5m", "cacheWrite1h"] },
);

const text = fc.record({ type: fc.constant("text"), text: fc.string({ unit: "binary" }) });
const image = fc.record({
  type: fc.constant("image"),
  source: fc.record({ type: fc.constant("base64"), media_type: fc.constant("image/png"), data: fc.base64String() }),
});
const other = fc
  .record({ id: fc.string(), content: json })
  .map((raw): ContentBlock => ({ type: "other", raw: { type: "server_tool_use", ...raw } }));

const opaque = fc.oneof(
  fc.record(
    {
      type: fc.constant("thinking"),
      thinking: fc.string({ unit: "binary" }),
      signature: fc.base64String(),
      provenance,
    },
    { requiredKeys: ["type", "thinking", "signature"] },
  ),
  fc.record(
    { type: fc.constant("redacted_thinking"), data: fc.base64String(), provenance },
    { requiredKeys: ["type", "data"] },
  ),
);
const toolUse = fc.record(
  { type: fc.constant("tool_use"), id, name: fc.string(), input: record, unparsedInput: fc.string() },
  { requiredKeys: ["type", "id", "name", "input"] },
);
const toolResult = fc.record(
  {
    type: fc.constant("tool_result"),
    tool_use_id: id,
    content: fc.oneof(fc.string(), fc.array(fc.oneof(text, image), { maxLength: 2 })),
    is_error: fc.boolean(),
  },
  { requiredKeys: ["type", "tool_use_id", "content"] },
);

const userMessage: fc.Arbitrary<UserMessage> = fc
  .tuple(
    fc.oneof(fc.array(fc.oneof(text, image, other), { minLength: 1, maxLength: 3 }), fc.tuple(toolResult)),
    fc.record(
      {
        isMeta: fc.constant(true),
        toolUseResult: json,
        sourceToolAssistantUuid: fc.uuid().map((uuid) => uuid as Uuid),
        toolDenialKind: fc.constantFrom("user-rejected", "rule", "mode", "host"),
      },
      { requiredKeys: [] },
    ),
  )
  .map(([content, more]) => ({ role: "user", uuid: nextUuid(), content, ...more }));

const assistantMessage: fc.Arbitrary<AssistantMessage> = fc
  .record(
    {
      block: fc.oneof(text, opaque, toolUse, other),
      requestId: fc.string(),
      model,
      stopReason: fc.constantFrom(null, "end_turn", "tool_use", "max_tokens", "refusal", "unknown"),
      usage: fc.option(usage),
    },
    { requiredKeys: ["block", "model", "stopReason", "usage"] },
  )
  .map(({ block, ...rest }) => {
    const uuid = nextUuid();
    return { role: "assistant", uuid, id: `msg_${uuid}`, content: [block], ...rest };
  });

const message = fc.oneof(userMessage, assistantMessage);
const hashes = fc.dictionary(fc.string({ minLength: 1 }), fc.option(fc.base64String()), {
  maxKeys: 2,
  noNullPrototype: true,
});

const sideEntry: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record(
    {
      type: fc.constant("intent"),
      toolUseId: id,
      tool: fc.string(),
      inputHash: fc.string(),
      effect: fc.constantFrom("edit", "other"),
      before: hashes,
    },
    { requiredKeys: ["type", "toolUseId", "tool", "inputHash", "effect"] },
  ),
  fc.record(
    {
      type: fc.constant("outcome"),
      toolUseId: id,
      status: fc.constantFrom("done", "failed", "denied", "cancelled", "unknown"),
      after: hashes,
    },
    { requiredKeys: ["type", "toolUseId", "status"] },
  ),
  fc.record({ type: fc.constant("question"), toolUseId: id, input: record }),
  fc.record({
    type: fc.constant("answer"),
    toolUseId: id,
    behavior: fc.constantFrom("allow", "deny"),
    by: fc.string(),
  }),
  fc.record({
    type: fc.constant("decision"),
    toolUseId: id,
    behavior: fc.constantFrom("allow", "ask", "deny"),
    because: fc.record(
      {
        type: fc.constantFrom("rule", "mode", "hook", "host"),
        rule: fc.string(),
        source: fc.string(),
        reason: fc.string(),
      },
      { requiredKeys: ["type", "reason"] },
    ),
  }),
  fc.record(
    {
      type: fc.constant("ledger"),
      responseId: fc.string(),
      requestId: fc.string(),
      attempt: fc.nat(10),
      status: fc.constantFrom("ok", "retried", "cancelled", "failed"),
      model,
      usage,
      costUsd: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
      source: fc.constantFrom("main", "subagent", "compact"),
    },
    { requiredKeys: ["type", "responseId", "attempt", "status", "model", "usage", "costUsd", "source"] },
  ),
  fc
    .nat(3)
    .map(
      (attempt): JournalEntry => ({ type: "transition", transition: { type: "max_output_tokens_recovery", attempt } }),
    ),
  fc.record(
    {
      type: fc.constant("projection"),
      op: fc.constantFrom("clear_results", "collapse", "snip", "strip_media", "tombstone", "repair", "clear"),
      refs: fc.array(fc.uuid(), { maxLength: 3 }),
      replacement: fc.array(message, { maxLength: 2 }),
      reason: fc.string(),
    },
    { requiredKeys: ["type", "op", "refs", "reason"] },
  ),
  fc.record(
    {
      type: fc.constant("rewind"),
      to: fc.uuid().map((uuid) => uuid as Uuid),
      scope: fc.constantFrom("conversation", "files", "both"),
      undoOf: fc.string(),
    },
    { requiredKeys: ["type", "to", "scope"] },
  ),
  fc.record({ type: fc.constant("state"), part: fc.string(), value: json }),
);

const draft = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(message, fc.nat()).map(([value, parent]) => ({ type: "message", value, parent }) as const),
  },
  { weight: 3, arbitrary: sideEntry.map((value) => ({ type: "side", value }) as const) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom("manual", "auto"), tokens, fc.string())
      .map(([trigger, preTokens, summary]) => ({ type: "compaction", trigger, preTokens, summary }) as const),
  },
);

/** A journal of every kind of entry, whose parents are earlier lines of it. */
export const arbitraryJournal: fc.Arbitrary<JournalEntry[]> = fc.array(draft, { maxLength: 20 }).map((drafts) => {
  const uuids: Uuid[] = [];
  return drafts.map((one): JournalEntry => {
    if (one.type === "side") return one.value;
    if (one.type === "message") {
      const parent = uuids[one.parent % Math.max(uuids.length, 1)] ?? null;
      uuids.push(one.value.uuid);
      return { type: "message", message: one.value, parent, isSidechain: false };
    }
    const summary = prompt(one.summary, { isCompactSummary: true });
    const [kept] = uuids;
    const logicalParent = uuids.at(-1) ?? null;
    uuids.push(summary.uuid);
    const { trigger, preTokens } = one;
    const uuid = nextUuid();
    return { type: "compact_boundary", uuid, logicalParent, trigger, preTokens, summary, kept: kept ? [kept] : [] };
  });
});
