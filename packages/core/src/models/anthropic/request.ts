import type { ApiBlock } from "../../messages/api-message.ts";
import type { ContentBlock, Message, ModelId, Provenance } from "../../messages/message.ts";
import { toApiBlock } from "../../messages/normalize.ts";
import { referredTools, withKnownReferences } from "../../messages/tool-reference.ts";
import type { ModelInfo } from "../catalog.ts";
import type { ModelRequest, ServerTool, ToolSchema } from "../model.ts";
import { BodyStart } from "./body-start.ts";
import { cacheBreakpoints, type MarkableMessage } from "./cache-breakpoints.ts";
import { type ThinkingParam, thinkingFields } from "./thinking.ts";

export type CacheLifetime = "5m" | "1h";

/** The parts of a body beside tools, system and messages. */
export type RequestSettings = {
  max_tokens: number;
  stream: boolean;
  thinking?: ThinkingParam;
  output_config?: {
    effort?: "low" | "medium" | "high" | "xhigh" | "max";
    format?: { type: "json_schema"; schema: object };
  };
};

type Rendered = MarkableMessage & { json: readonly string[]; references: readonly Reference[] };
/** A tool that a message refers to, and whether it was left so. */
type Reference = { tool: string; isKept: boolean };

/** Writes the bodies of one model's requests. A message or a tool is serialised once: both are values that never change. */
export class RequestWriter {
  readonly #info: ModelInfo;
  readonly #provenance: Provenance;
  readonly #mark: string;
  readonly #messages = new WeakMap<Message, Rendered>();
  readonly #tools = new WeakMap<ToolSchema, string>();
  #start: BodyStart | undefined;

  constructor(info: ModelInfo, provenance: Provenance, cacheLifetime: CacheLifetime) {
    this.#info = info;
    this.#provenance = provenance;
    this.#mark = `"cache_control":${JSON.stringify(
      cacheLifetime === "1h" ? { type: "ephemeral", ttl: "1h" } : { type: "ephemeral" },
    )}`;
  }

  /**
   * JSON in the cache's order, tools, system, messages, so that the bytes of one request begin the next one. In pieces: what
   * stands before the first mark in the messages is kept as bytes, and a long history is not written again each time.
   */
  body(request: ModelRequest): readonly Buffer[] {
    const findable = new Set(request.tools.flatMap(({ name, deferLoading }) => (deferLoading ? [name] : [])));
    const messages = request.messages
      .map((message) => this.#message(message, findable))
      .filter(({ json }) => json.length > 0);
    const system = request.system.filter((text) => text.trim() !== "");
    const { serverTools = [] } = request;
    const { prefix, marks } = cacheBreakpoints({
      toolCount: request.tools.length + serverTools.length,
      systemCount: system.length,
      messages,
      skipCacheWrite: request.skipCacheWrite === true,
    });
    const settledCount = Math.max(0, Math.min(marks[0]?.message ?? messages.length, messages.length - 1));
    const start = this.#startWith(
      this.#head(request.tools, serverTools, system, prefix),
      messages.slice(0, settledCount),
    );
    const rest = messages.slice(settledCount).map(({ role, json }) => ({ role, json: [...json] }));
    for (const { message, block } of marks) this.#markAt(rest[message - settledCount]?.json ?? [], block);
    const settings = json(requestSettings(request, this.#info));
    return [start, Buffer.from(`${rest.map(messageText).join(",")}],${settings.slice(1)}`)];
  }

  #head(
    tools: readonly ToolSchema[],
    serverTools: readonly ServerTool[],
    system: readonly string[],
    prefix: "tools" | "system" | undefined,
  ): string {
    const toolTexts = [...serverTools.map(json), ...tools.map((tool) => this.#tool(tool))];
    const systemTexts = system.map((text) => json({ type: "text", text }));
    // A deferred tool is no part of the prefix and takes no mark.
    const lastSeen = serverTools.length + tools.findLastIndex(({ deferLoading }) => deferLoading !== true);
    if (prefix === "tools") this.#markAt(toolTexts, lastSeen);
    if (prefix === "system") this.#markAt(systemTexts, systemTexts.length - 1);
    return [
      `{"model":${json(this.#info.id)}`,
      ...(toolTexts.length === 0 ? [] : [`"tools":[${toolTexts.join(",")}]`]),
      ...(systemTexts.length === 0 ? [] : [`"system":[${systemTexts.join(",")}]`]),
      `"messages":[`,
    ].join(",");
  }

  /** Begun anew when the conversation is another one, or was changed before its last marks. */
  #startWith(head: string, settled: readonly Rendered[]): Buffer {
    if (this.#start?.begins(head, settled) !== true) this.#start = new BodyStart(head);
    return this.#start.upTo(settled, (message) => `${messageText(message)},`);
  }

  #tool(tool: ToolSchema): string {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const { name, description, inputSchema: input_schema, deferLoading } = tool;
    const text = json({ name, description, input_schema, ...(deferLoading ? { defer_loading: true } : {}) });
    this.#tools.set(tool, text);
    return text;
  }

  /** A reference to a tool stays as long as the request lets the model find that tool. */
  #message(message: Message, findable: ReadonlySet<string>): Rendered {
    const known = this.#messages.get(message);
    const isKept = (tool: string) => findable.has(tool);
    if (known?.references.every((each) => each.isKept === isKept(each.tool))) return known;
    const references = referredTools(message).map((tool) => ({ tool, isKept: isKept(tool) }));
    const blocks = message.content
      .filter((block) => isFor(block, this.#provenance))
      .map((block) => withKnownReferences(unmarked(block), isKept));
    const rendered = { role: message.role, json: blocks.map(json), canMark: blocks.map(canMark), references };
    this.#messages.set(message, rendered);
    return rendered;
  }

  /** The kept text of a block stays as it is: the mark goes into a copy. */
  #markAt(blocks: string[], index: number): void {
    const block = blocks[index];
    if (block !== undefined) blocks[index] = `${block.slice(0, -1)},${this.#mark}}`;
  }
}

const messageText = ({ role, json }: Pick<Rendered, "role" | "json">): string =>
  `{"role":"${role}","content":[${json.join(",")}]}`;

function requestSettings(request: ModelRequest, info: ModelInfo): RequestSettings {
  const max_tokens = Math.max(1, Math.min(request.maxTokens, info.maxOutputTokens));
  const { thinking, effort } = thinkingFields(request.thinking, info, max_tokens);
  const { outputSchema } = request;
  const output_config = {
    ...(effort === undefined ? {} : { effort }),
    ...(outputSchema === undefined ? {} : { format: { type: "json_schema", schema: outputSchema } as const }),
  };
  return {
    max_tokens,
    stream: request.inOnePiece !== true,
    ...(thinking === undefined ? {} : { thinking }),
    ...(Object.keys(output_config).length === 0 ? {} : { output_config }),
  };
}

/** Opaque blocks go back only to who made them; those of unknown origin are taken for our own. */
function isFor(block: ContentBlock, { provider, model }: Provenance): boolean {
  if (block.type !== "thinking" && block.type !== "redacted_thinking") return true;
  const made = block.provenance;
  return made === undefined || (made.provider === provider && undated(made.model) === undated(model));
}

/** The provider answers an alias such as `claude-opus-5-5` with the id of the release behind it. */
const undated = (model: ModelId): string => model.replace(/\[1m\]$/i, "").replace(/-\d{8}$/, "");

/** A block in the API's form, without a mark that came with it. */
function unmarked(block: ContentBlock): ApiBlock {
  const apiBlock = toApiBlock(block);
  if (!("cache_control" in apiBlock)) return apiBlock;
  const { type, cache_control: _mark, ...rest } = apiBlock;
  return { type, ...rest };
}

const markable: ReadonlySet<string> = new Set([
  "text",
  "image",
  "document",
  "search_result",
  "tool_use",
  "tool_result",
  "server_tool_use",
  "web_search_tool_result",
  "web_fetch_tool_result",
]);

/** Thinking and empty blocks take no mark; kinds that we do not know might not. */
function canMark(block: ApiBlock): boolean {
  if (!markable.has(block.type)) return false;
  const words = block.type === "text" ? block["text"] : block.type === "tool_result" ? block["content"] : undefined;
  return typeof words === "string" ? words.trim() !== "" : !Array.isArray(words) || words.length > 0;
}

/** JSON whose every string is well formed: `stringify` escapes half a character, which the provider refuses. */
function json(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? text.replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\ufffd") : text;
}
