import { type JsonEntry, type JsonNode, jsonTree } from "./json-tree.ts";

/** One change at a path of keys: a value set (undefined takes the key away), or items added to the list that stands there. */
export type JsonEdit = { path: readonly string[] } & ({ value: unknown } | { append: readonly unknown[] });

/** Changes the text of a JSON object and leaves all the rest as it is: order, indentation, blanks, numbers as written. */
export function editJson(source: string, edits: readonly JsonEdit[]): string {
  return edits.reduce((text, edit) => edited(text.trim() === "" ? "{}\n" : text, edit), source);
}

function edited(source: string, edit: JsonEdit): string {
  const style = styleOf(source);
  const isRemoval = "value" in edit && edit.value === undefined;
  let node = jsonTree(source);
  for (const [depth, key] of edit.path.entries()) {
    const entry = node.type === "object" ? node.entries.findLast((each) => each.key === key) : undefined;
    if (entry === undefined) return isRemoval ? source : withKey(source, node, edit, depth, style);
    if (isRemoval && node.type === "object" && depth === edit.path.length - 1) return removed(source, node, key);
    node = entry.node;
  }
  const depth = edit.path.length;
  if ("value" in edit) return replaced(source, node, edit.value, depth, style);
  if (node.type !== "list") return replaced(source, node, edit.append, depth, style);
  const items = edit.append.map((item) => shown(item, depth + 1, style));
  return inserted(source, node, node.items, items, depth, style);
}

/** The path ends at `node`, which lies `depth` keys deep: what is missing is made. */
function withKey(source: string, node: JsonNode, edit: JsonEdit, depth: number, style: Style): string {
  const value = "value" in edit ? edit.value : edit.append;
  const [key = "", ...inner] = edit.path.slice(depth);
  const whole = inner.reduceRight<unknown>((within, name) => ({ [name]: within }), value);
  if (node.type !== "object") return replaced(source, node, { [key]: whole }, depth, style);
  const entry = `${JSON.stringify(key)}: ${shown(whole, depth + 1, style)}`;
  return inserted(
    source,
    node,
    node.entries.map((each) => each.node),
    [entry],
    depth,
    style,
  );
}

/** An object that has become empty is `{}`, without the lines that its keys stood on. */
function removed(source: string, node: Extract<JsonNode, { type: "object" }>, key: string): string {
  if (node.entries.some((entry) => entry.key !== key)) return withoutKey(source, node.entries, key);
  return `${source.slice(0, node.at)}{}${source.slice(node.end)}`;
}

/** What stands there twice goes twice. */
function withoutKey(source: string, entries: readonly JsonEntry[], key: string): string {
  const first = entries.findIndex((entry) => entry.key === key);
  const entry = entries[first];
  if (entry === undefined) return source;
  const next = entries[first + 1];
  const before = entries[first - 1];
  const [from, to] = next ? [entry.at, next.at] : [before?.node.end ?? entry.at, entry.node.end];
  const text = source.slice(0, from) + source.slice(to);
  const moved = (each: JsonEntry): JsonEntry => shifted(each, from - to);
  return withoutKey(text, [...entries.slice(0, first), ...entries.slice(first + 1).map(moved)], key);
}

const shifted = ({ key, at, node }: JsonEntry, by: number): JsonEntry => ({
  key,
  at: at + by,
  node: { ...node, at: node.at + by, end: node.end + by },
});

type Style = { indent: string; newline: string };

function styleOf(source: string): Style {
  return { indent: /\n([ \t]+)\S/.exec(source)?.[1] ?? "  ", newline: source.includes("\r\n") ? "\r\n" : "\n" };
}

/** JSON whose later lines are indented for their depth. */
const shown = (value: unknown, depth: number, { indent, newline }: Style): string =>
  JSON.stringify(value, null, indent).replaceAll("\n", newline + indent.repeat(depth));

const replaced = (source: string, { at, end }: JsonNode, value: unknown, depth: number, style: Style): string =>
  source.slice(0, at) + shown(value, depth, style) + source.slice(end);

/** Adds to the end of an object or list: on lines of their own where the others stand so. */
function inserted(
  source: string,
  { at, end }: JsonNode,
  children: readonly JsonNode[],
  added: readonly string[],
  depth: number,
  { indent, newline }: Style,
): string {
  if (added.length === 0) return source;
  const last = children.at(-1);
  const line = newline + indent.repeat(depth + 1);
  if (last === undefined) {
    return (
      source.slice(0, at + 1) + line + added.join(`,${line}`) + newline + indent.repeat(depth) + source.slice(end - 1)
    );
  }
  const hasLines = source.slice(at, children[0]?.at).includes("\n");
  const between = hasLines ? `,${line}` : ", ";
  return source.slice(0, last.end) + between + added.join(between) + source.slice(last.end);
}
