import { createHash } from "node:crypto";
import type { ApiBlock, ApiMessage } from "../api-message.ts";
import { isBlock } from "../api-shape.ts";
import type { ContentBlock, Message, UserMessage, Uuid } from "../message.ts";
import { fromApiBlock, toApiBlock } from "../normalize.ts";

/** Carries the engine's messages through a repair of the API's form and finds them again behind it. */
export class Carrier {
  readonly #carried = new Map<unknown, Message>();
  readonly #blocks = new Map<ApiBlock, ContentBlock>();

  out(message: Message): ApiMessage {
    const content = message.content.map((block) => {
      const api = toApiBlock(block);
      this.#blocks.set(api, block);
      return api;
    });
    const carried: ApiMessage = { role: message.role, content, carried: message };
    if (message.role === "user") carried["isMeta"] = message.isMeta === true;
    else Object.assign(carried, { model: message.model, stop_reason: message.stopReason });
    this.#carried.set(carried, message);
    this.#carried.set(message, message);
    return carried;
  }

  /** The message itself when the repair left it alone; one that the repair made gets an id that follows from the one before. */
  back(repaired: ApiMessage, before: Message | undefined): Message {
    const untouched = this.#carried.get(repaired);
    if (untouched !== undefined) return untouched;
    const source = this.#carried.get(repaired["carried"]);
    const content = Array.isArray(repaired.content) ? repaired.content.map((block) => this.#blockOf(block)) : [];
    if (source === undefined) return mintedMessage(content, before);
    return source.role === "user" ? ofManyResults({ ...source, content }) : { ...source, content };
  }

  #blockOf(block: unknown): ContentBlock {
    return (isBlock(block) ? this.#blocks.get(block) : undefined) ?? fromApiBlock(block);
  }
}

function mintedMessage(content: ContentBlock[], before: Message | undefined): UserMessage {
  return { role: "user", uuid: followingUuid(before?.uuid ?? ""), content, isMeta: true };
}

/** A UUID that is the same each time for the same message: the engine's own parts know no chance. */
function followingUuid(uuid: string): Uuid {
  const hex = createHash("sha256").update(`after ${uuid}`).digest("hex");
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return parts.join("-") as Uuid;
}

/** What is kept about one result says nothing true about several. */
function ofManyResults(message: UserMessage): UserMessage {
  if (message.content.filter(({ type }) => type === "tool_result").length === 1) return message;
  const { toolUseResult: _value, sourceToolAssistantUuid: _line, toolDenialKind: _kind, ...rest } = message;
  return rest;
}
