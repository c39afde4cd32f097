import { PawlError } from "../lib/error.ts";
import { blanks, marks, skip, token } from "./json-tokens.ts";

/** Keys and list positions from the outermost in. */
export type JsonPath = readonly (string | number)[];

/** A value and where it stands in its text: `at` its first character, `end` behind its last. */
export type JsonNode =
  | { type: "object"; at: number; end: number; entries: JsonEntry[] }
  | { type: "list"; at: number; end: number; items: JsonNode[] }
  | { type: "plain"; at: number; end: number };
/** Two of one object may have the same key. */
export type JsonEntry = { key: string; at: number; node: JsonNode };

type Open = Extract<JsonNode, { type: "object" | "list" }>;

/** The values of a text that `parseJson` accepts, with their places. */
export function jsonTree(source: string): JsonNode {
  const open: Open[] = [];
  let key: { text: string; at: number } | undefined;
  let root: JsonNode | undefined;
  for (
    let at = skip(blanks, source, skip(marks, source, 0)), end = 0;
    at < source.length;
    at = skip(blanks, source, end)
  ) {
    end = skip(token, source, at);
    if (end === at) throw new PawlError("internal", `not JSON at ${at}`);
    const found = source.slice(at, end);
    const around = open.at(-1);
    if (found === "}" || found === "]") {
      if (around !== undefined) around.end = end;
      open.pop();
    } else if (found === "," || found === ":") continue;
    else if (around?.type === "object" && key === undefined) key = { text: String(JSON.parse(found)), at };
    else {
      const node = nodeOf(found, at, end);
      if (around?.type === "object" && key !== undefined) around.entries.push({ key: key.text, at: key.at, node });
      if (around?.type === "list") around.items.push(node);
      root ??= node;
      key = undefined;
      if (node.type !== "plain") open.push(node);
    }
  }
  return root ?? { type: "plain", at: 0, end: 0 };
}

function nodeOf(found: string, at: number, end: number): JsonNode {
  if (found === "{") return { type: "object", at, end, entries: [] };
  return found === "[" ? { type: "list", at, end, items: [] } : { type: "plain", at, end };
}

/** The value at a path; of two with the same key the later, as `JSON.parse` has it. */
function nodeAt(root: JsonNode, path: JsonPath): JsonNode | undefined {
  let node: JsonNode | undefined = root;
  for (const part of path) node = node === undefined ? undefined : childOf(node, part);
  return node;
}

function childOf(node: JsonNode, part: string | number): JsonNode | undefined {
  if (node.type === "object") return node.entries.findLast(({ key }) => key === part)?.node;
  return node.type === "list" && typeof part === "number" ? node.items[part] : undefined;
}

/** Where the value at a path begins, or the nearest one around it. */
export function offsetOf(root: JsonNode, path: JsonPath): number {
  let at = root.at;
  for (let depth = 1; depth <= path.length; depth++) at = nodeAt(root, path.slice(0, depth))?.at ?? at;
  return at;
}
