import { type JsonNode, type JsonPath, jsonTree, offsetOf } from "./json-tree.ts";
import { LineNumbers } from "./line-numbers.ts";

/** Tells the lines of what a layer says, when it was read from a text. */
export class LayerLines {
  readonly #text: string | undefined;
  #read: { tree: JsonNode; lines: LineNumbers } | undefined;

  /** @param text what `parseJson` accepts; undefined: no line is known. */
  constructor(text: string | undefined) {
    this.#text = text;
  }

  /** The line, from 1, in which the value at a path begins, or the nearest one around it: to be spread into what it is the line of. */
  at(path: JsonPath): { line?: number } {
    if (this.#text === undefined) return {};
    this.#read ??= { tree: jsonTree(this.#text), lines: new LineNumbers(this.#text) };
    return { line: this.#read.lines.at(offsetOf(this.#read.tree, path)) };
  }
}
