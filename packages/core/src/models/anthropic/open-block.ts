import type { ApiBlock } from "../../messages/api-message.ts";
import { isRecord } from "../../messages/api-shape.ts";
import type { ContentBlock, Provenance } from "../../messages/message.ts";
import { fromApiBlock } from "../../messages/normalize.ts";
import type { CutBlock } from "../model.ts";
import { type Fields, textIn } from "./fields.ts";

/** A block whose deltas are still coming. */
export class OpenBlock {
  readonly #start: ApiBlock;
  readonly #provenance: Provenance;
  readonly #citations: unknown[] = [];
  /** Fields that a delta gives whole. */
  #fields: Fields = {};
  #text = "";
  #thinking = "";
  #json = "";

  constructor(start: ApiBlock, provenance: Provenance) {
    this.#start = start;
    this.#provenance = provenance;
  }

  get isCall(): boolean {
    return this.#start.type === "tool_use";
  }

  /** A call of which no input came: it takes none, or was cut before its input. */
  get isBareCall(): boolean {
    const { input } = this.#start;
    return this.isCall && this.#json.trim() === "" && (!isRecord(input) || Object.keys(input).length === 0);
  }

  appendText(text: string): void {
    this.#text += text;
  }

  append(delta: Fields): void {
    switch (delta["type"]) {
      case "text_delta":
        this.appendText(textIn(delta, "text") ?? "");
        return;
      case "input_json_delta":
        this.#json += textIn(delta, "partial_json") ?? "";
        return;
      case "thinking_delta":
        this.#thinking += textIn(delta, "thinking") ?? "";
        return;
      case "signature_delta":
        this.#fields["signature"] = delta["signature"];
        return;
      case "citations_delta":
        this.#citations.push(delta["citation"]);
        return;
      case "compaction_delta": {
        const { type: _type, ...fields } = delta;
        this.#fields = { ...this.#fields, ...fields };
      }
    }
  }

  /** The block at its end. A tool input that is no JSON object makes a block that never runs. */
  whole(): ContentBlock {
    if (this.#json.trim() === "") return fromApiBlock(this.#joined(), this.#provenance);
    const input = objectIn(this.#json);
    const block = fromApiBlock({ ...this.#joined(), input: input ?? {} }, this.#provenance);
    return input === undefined && block.type === "tool_use" ? { ...block, unparsedInput: this.#json } : block;
  }

  /** What can be kept of a block that never ends: the text of a text block. */
  partial(): ContentBlock[] {
    const block = this.#joined();
    return block.type === "text" && textIn(block, "text")?.trim() ? [fromApiBlock(block, this.#provenance)] : [];
  }

  cut(): CutBlock {
    const toolName = textIn(this.#start, "name");
    return {
      type: this.#start.type,
      ...(toolName === undefined ? {} : { toolName }),
      ...(this.#json === "" ? {} : { partialJson: this.#json }),
    };
  }

  #joined(): ApiBlock {
    const block: ApiBlock = { ...this.#start, ...this.#fields };
    if (this.#text !== "") block["text"] = (textIn(this.#start, "text") ?? "") + this.#text;
    if (this.#thinking !== "") block["thinking"] = (textIn(this.#start, "thinking") ?? "") + this.#thinking;
    if (this.#citations.length > 0) block["citations"] = [...listIn(this.#start, "citations"), ...this.#citations];
    return block;
  }
}

function objectIn(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined; // the caller keeps the text and says that it was no JSON
  }
}

const listIn = (fields: Fields, name: string): unknown[] => (Array.isArray(fields[name]) ? fields[name] : []);
