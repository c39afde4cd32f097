import { describe, expect, test } from "vitest";
import { asking, modelId, user, uuid } from "../../../test/support/anthropic.ts";
import type { ContentBlock, Message, ToolUseId } from "../../messages/message.ts";
import { modelInfo } from "../catalog.ts";
import type { ModelRequest } from "../model.ts";
import { RequestWriter } from "./request.ts";

const writerFor = (id: string, lifetime: "5m" | "1h" = "5m") =>
  new RequestWriter(modelInfo(id), { provider: "anthropic", model: modelId(id) }, lifetime);

const textOf = (writer: RequestWriter, request: ModelRequest) => Buffer.concat(writer.body(request)).toString();

const bodyOf = (request: ModelRequest, id = "claude-sonnet-5-5") => JSON.parse(textOf(writerFor(id), request));

const answer = (...content: ContentBlock[]): Message => ({
  role: "assistant",
  uuid: uuid("a"),
  id: "msg_1",
  model: modelId("claude-sonnet-5-5"),
  content,
  stopReason: "tool_use",
  usage: null,
});

const results = (...content: ContentBlock[]): Message => ({ role: "user", uuid: uuid("r"), content });

const toolUseId = (text: string): ToolUseId => text as ToolUseId;
const made = (model: string) => ({ provider: "anthropic", model: modelId(model) });
const mark = { cache_control: { type: "ephemeral" } };

const conversation: Message[] = [
  user("Read a.txt."),
  answer(
    { type: "thinking", thinking: "Reading.", signature: "c2ln", provenance: made("claude-sonnet-5-5-20261001") },
    { type: "tool_use", id: toolUseId("toolu_1"), name: "Read", input: { path: "a.txt" } },
  ),
  results({ type: "tool_result", tool_use_id: toolUseId("toolu_1"), content: "alpha" }),
];

describe("the body of a request", () => {
  test("has tools, system and messages in the cache's order, with its marks", () => {
    const request = asking("", {
      tools: [{ name: "Read", description: "Reads a file.", inputSchema: { type: "object" } }],
      system: ["You are Pawl.", " "],
      messages: conversation,
      maxTokens: 8_000,
    });

    const body = textOf(writerFor("claude-sonnet-5-5"), request);

    expect(body).toBe(
      JSON.stringify({
        model: "claude-sonnet-5-5",
        tools: [{ name: "Read", description: "Reads a file.", input_schema: { type: "object" } }],
        system: [{ type: "text", text: "You are Pawl.", ...mark }],
        messages: [
          { role: "user", content: [{ type: "text", text: "Read a.txt.", ...mark }] },
          {
            role: "assistant",
            content: [
              { type: "thinking", thinking: "Reading.", signature: "c2ln" },
              { type: "tool_use", id: "toolu_1", name: "Read", input: { path: "a.txt" } },
            ],
          },
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "alpha", ...mark }] },
        ],
        max_tokens: 8_000,
        stream: true,
        thinking: { type: "adaptive" },
      }),
    );
  });

  test("grows only at its end: without marks and settings it begins the next one", () => {
    const writer = writerFor("claude-sonnet-5-5");
    const unmarked = (messages: Message[], maxTokens: number) =>
      textOf(writer, asking("", { system: ["You are Pawl."], messages, maxTokens }))
        .replaceAll(`,"cache_control":{"type":"ephemeral"}`, "")
        .replace(/\],"max_tokens".*/, "");
    const longer = [...conversation, answer({ type: "text", text: "alpha" }), user("Again.")];

    expect(unmarked(longer, 64_000).startsWith(unmarked(conversation, 8_000))).toBe(true);
  });

  test("marks moved on leave no trace in messages that were sent before", () => {
    const writer = writerFor("claude-sonnet-5-5", "1h");
    const rounds = Array.from({ length: 4 }, (_, n) => [answer({ type: "text", text: `a${n}` }), user(`u${n}`)]).flat();
    const messages = [user("Start."), ...rounds];
    for (let length = 1; length < messages.length; length += 2)
      writer.body(asking("", { messages: messages.slice(0, length) }));

    const body = textOf(writer, asking("", { messages }));

    expect(body).toBe(textOf(writerFor("claude-sonnet-5-5", "1h"), asking("", { messages })));
    expect(body.split(`"cache_control":{"type":"ephemeral","ttl":"1h"}`)).toHaveLength(4);
  });

  test("is right again after the conversation was changed or cut, and while another one is written", () => {
    const writer = writerFor("claude-sonnet-5-5");
    const rounds = Array.from({ length: 6 }, (_, n) => [answer({ type: "text", text: `a${n}` }), user(`u${n}`)]).flat();
    const long = [user("Start."), ...rounds];
    const other = [user("Another conversation."), ...rounds];
    const changed = [...long.slice(0, 4), answer({ type: "text", text: "changed" }), ...long.slice(5)];
    const requests = [long, long.slice(0, 5), long, other, long.slice(0, 9), changed, [user("Short.")], long]
      .flatMap((messages) => [asking("", { messages }), asking("", { messages, skipCacheWrite: true })])
      .concat(asking("", { messages: long, system: ["Another prompt."] }));

    expect(requests.map((request) => textOf(writer, request))).toEqual(
      requests.map((request) => textOf(writerFor("claude-sonnet-5-5"), request)),
    );
  });

  test("a message is serialised once", () => {
    const writer = writerFor("claude-sonnet-5-5");
    let serialised = 0;
    const input = { toJSON: () => ({ count: ++serialised }) };
    const messages = [user("Go."), answer({ type: "tool_use", id: toolUseId("toolu_1"), name: "Count", input })];

    for (let times = 0; times < 3; times++) writer.body(asking("", { messages }));

    expect(serialised).toBe(1);
  });

  test("leaves out the cache mark of the new tail when nothing is to be written", () => {
    const { messages } = bodyOf(asking("", { messages: conversation, skipCacheWrite: true }));

    expect(messages[0].content[0]).toEqual({ type: "text", text: "Read a.txt.", ...mark });
    expect(messages[2].content[0]).toEqual({ type: "tool_result", tool_use_id: "toolu_1", content: "alpha" });
  });

  test("keeps at most what the model can put out", () => {
    expect(bodyOf(asking("Hi", { maxTokens: 1_000_000 })).max_tokens).toBe(128_000);
  });

  test("names the model without the ending that asks for the long window", () => {
    expect(bodyOf(asking("Hi"), "claude-sonnet-4-6[1m]").model).toBe("claude-sonnet-4-6");
  });

  test("carries an output schema", () => {
    const outputSchema = { type: "object", properties: {} };

    expect(bodyOf(asking("Hi", { outputSchema })).output_config).toEqual({
      format: { type: "json_schema", schema: outputSchema },
    });
  });
});

describe("the blocks of a request", () => {
  test("images, documents and unknown kinds are carried, with no mark but our own", () => {
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } } as const;
    const document = {
      type: "document",
      source: { type: "base64", media_type: "application/pdf", data: "aGk=" },
    } as const;
    const raw = { type: "container_upload", file_id: "file_1", ...mark };

    const { messages } = bodyOf(asking("", { messages: [results(image, document, { type: "other", raw })] }));

    expect(messages[0].content).toEqual([
      image,
      { ...document, ...mark },
      { type: "container_upload", file_id: "file_1" },
    ]);
  });

  test("thinking of another model or provider is left out, our own and that of unknown origin is sent", () => {
    const thinking = (text: string, provenance?: { provider: string; model: ReturnType<typeof modelId> }) =>
      ({ type: "thinking", thinking: text, signature: "c2ln", ...(provenance && { provenance }) }) as const;
    const content = [
      thinking("own", made("claude-sonnet-5-5")),
      thinking("own, by the id of its release", made("claude-sonnet-5-5-20261001")),
      thinking("unknown"),
      thinking("another model", made("claude-opus-5-5")),
      thinking("another provider", { provider: "openai", model: modelId("claude-sonnet-5-5") }),
      { type: "redacted_thinking", data: "eA==", provenance: made("claude-opus-5-5") } as const,
      { type: "text", text: "Done." } as const,
    ];

    const { messages } = bodyOf(asking("", { messages: [user("Go."), answer(...content), user("More.")] }));

    expect(
      messages[1].content.map((block: { thinking?: string; text?: string }) => block.thinking ?? block.text),
    ).toEqual(["own", "own, by the id of its release", "unknown", "Done."]);
  });

  test("the unreadable text of a tool input is never sent", () => {
    const cut = { type: "tool_use", id: toolUseId("toolu_1"), name: "Write", input: {}, unparsedInput: '{"a' } as const;

    const { messages } = bodyOf(asking("", { messages: [user("Go."), answer(cut), user("No.")] }));

    expect(messages[1].content).toEqual([{ type: "tool_use", id: "toolu_1", name: "Write", input: {} }]);
  });

  test("half a character, in a text, a key or a value, becomes a replacement character", () => {
    const half = "\ud83d";
    const input = { [`key ${half}`]: `value ${half}`, literal: "\\ud83d stays", whole: "😀" };
    const block = { type: "tool_use", id: toolUseId("toolu_1"), name: "Write", input } as const;

    const { messages } = bodyOf(asking("", { messages: [user(`cut ${half}`), answer(block), user("Go.")] }));

    expect(messages[0].content[0].text).toBe("cut \ufffd");
    expect(messages[1].content[0].input).toEqual({
      "key \ufffd": "value \ufffd",
      literal: "\\ud83d stays",
      whole: "😀",
    });
  });
});

describe("thinking is asked for in the form that the model takes", () => {
  const fieldsOf = (id: string, thinking?: ModelRequest["thinking"]) => {
    const body = bodyOf(asking("Hi", { maxTokens: 10_000, ...(thinking && { thinking }) }), id);
    return { thinking: body.thinking, effort: body.output_config?.effort };
  };
  const adaptive = { type: "adaptive" };

  test.each([
    ["claude-sonnet-5-5", undefined, { thinking: adaptive }],
    ["claude-haiku-4-5", undefined, {}],
    ["some-gateway-model", undefined, {}],
    ["some-gateway-model", { type: "adaptive" }, { thinking: adaptive }],
    ["claude-opus-5-5", { type: "adaptive", effort: "high" }, { thinking: adaptive, effort: "high" }],
    ["claude-haiku-4-5", { type: "adaptive" }, {}],
    ["claude-haiku-4-5", { type: "adaptive", effort: "low" }, { thinking: { type: "enabled", budget_tokens: 4_096 } }],
    ["claude-opus-5-5", { type: "disabled" }, {}],
    ["claude-sonnet-5-5", { type: "disabled" }, { thinking: { type: "disabled" } }],
    ["claude-sonnet-5-5", { type: "enabled", budgetTokens: 2_000 }, { thinking: adaptive }],
    [
      "claude-opus-4-6",
      { type: "enabled", budgetTokens: 2_000 },
      { thinking: { type: "enabled", budget_tokens: 2_000 } },
    ],
    [
      "claude-haiku-4-5",
      { type: "enabled", budgetTokens: 50_000 },
      { thinking: { type: "enabled", budget_tokens: 9_999 } },
    ],
    ["claude-haiku-4-5", { type: "enabled", budgetTokens: 100 }, {}],
  ] as const)("%s, %j", (id, thinking, expected) => {
    expect(fieldsOf(id, thinking)).toEqual({ thinking: undefined, effort: undefined, ...expected });
  });
});

describe("deferred tools", () => {
  const open = { name: "Read", description: "Reads.", inputSchema: { type: "object" } };
  const deferred = { ...open, name: "Ring", deferLoading: true } as const;
  const refers: Message[] = [
    user("go"),
    answer({ type: "tool_use", id: toolUseId("toolu_1"), name: "ToolSearch", input: { query: "ring" } }),
    results({
      type: "tool_result",
      tool_use_id: toolUseId("toolu_1"),
      content: [{ type: "other", raw: { type: "tool_reference", tool_name: "Ring" } }],
    }),
  ];

  test("say so, and the cache's mark stands before them", () => {
    const body = bodyOf(asking("", { tools: [open, deferred], system: [], messages: [user("go")] }));
    expect(body.tools).toEqual([
      { name: "Read", description: "Reads.", input_schema: { type: "object" }, ...mark },
      { name: "Ring", description: "Reads.", input_schema: { type: "object" }, defer_loading: true },
    ]);
  });

  test("are referred to as long as they go along: else the reference is words", () => {
    const writer = writerFor("claude-sonnet-5-5");
    const content = (tools: ModelRequest["tools"]) =>
      JSON.parse(textOf(writer, asking("", { tools, messages: refers }))).messages[2].content[0].content;
    const reference = { type: "tool_reference", tool_name: "Ring" };
    const words = { type: "text", text: "Found the tool Ring." };

    expect(content([open, deferred])).toEqual([reference]);
    expect(content([open])).toEqual([words]);
    expect(content([open, { ...open, name: "Ring" }])).toEqual([words]);
    expect(content([open, deferred])).toEqual([reference]);
    expect(content([])).toEqual([words]);
  });

  test("that are gone leave those beside them alone", () => {
    const content = ["Gone", "Ring"].map((tool_name) => ({
      type: "other" as const,
      raw: { type: "tool_reference", tool_name },
    }));
    const both = [...refers.slice(0, 2), results({ type: "tool_result", tool_use_id: toolUseId("toolu_1"), content })];
    const body = bodyOf(asking("", { tools: [open, deferred], messages: both }));
    expect(body.messages[2].content[0].content).toEqual([{ type: "tool_reference", tool_name: "Ring" }]);
  });
});
