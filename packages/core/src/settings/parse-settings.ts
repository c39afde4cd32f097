import { messageOf } from "../lib/error.ts";
import { isObject, textsWithin } from "./check-value.ts";
import { type JsonNode, jsonTree } from "./json-tree.ts";
import { LineNumbers } from "./line-numbers.ts";
import { parseJson } from "./parse-json.ts";
import { type KeptRules, keptLists, salvageRules } from "./salvage-rules.ts";
import { knownKeys } from "./schema.ts";

/** It is no JSON: `value` holds the deny and ask rules that could be told, undefined when there are none. */
export type BrokenSettings = { type: "broken"; value: unknown; fault: string };

/** What a settings file says. */
export type ParsedSettings = { type: "whole"; value: unknown; warnings: readonly string[] } | BrokenSettings;

/** Reads the text of a settings file. Never throws: no deny or ask rule that can be told is lost. */
export function parseSettings(source: string, file: string): ParsedSettings {
  try {
    const value = parseJson(source, file);
    const hidden = hiddenRules(jsonTree(source), source);
    if (hidden === undefined) return { type: "whole", value, warnings: [] };
    const line = new LineNumbers(source).at(hidden.at);
    return { type: "whole", value: withRules(value, hidden), warnings: [hiddenWarning(`${file}:${line}`)] };
  } catch (error) {
    return salvaged(source, messageOf(error));
  }
}

/** What can be told of a text that is no JSON. */
export function salvaged(text: string, fault: string): BrokenSettings {
  const { deny, ask } = salvageRules(text, knownKeys);
  if (deny.length + ask.length === 0) return { type: "broken", value: undefined, fault };
  return { type: "broken", value: { permissions: { deny, ask } }, fault };
}

const hiddenWarning = (where: string) =>
  `${where}: a list of permission rules stands there twice, where JSON keeps the last one; the deny and ask rules of all are used: make one of them`;

/** All rules of the lists when a key stands twice and a later one, `at`, hides the rules of an earlier one; else undefined. */
function hiddenRules(root: JsonNode, source: string): (KeptRules & { at: number }) | undefined {
  const holders = nodesOf([root], "permissions");
  const [deny, ask] = keptLists.map((list) => nodesOf(holders, list));
  const later = holders[1] ?? deny?.[1] ?? ask?.[1];
  if (later === undefined) return undefined;
  return { deny: textsIn(deny ?? [], source), ask: textsIn(ask ?? [], source), at: later.at };
}

const nodesOf = (nodes: readonly JsonNode[], key: string): JsonNode[] =>
  nodes
    .flatMap((node) => (node.type === "object" ? node.entries.filter((entry) => entry.key === key) : []))
    .map((entry) => entry.node);

/** Every text in the values, however deep, each once. */
function textsIn(nodes: readonly JsonNode[], source: string): string[] {
  const found = nodes.flatMap((node) => textsWithin(JSON.parse(source.slice(node.at, node.end))));
  return [...new Set(found)];
}

function withRules(value: unknown, { deny, ask }: KeptRules): unknown {
  const outer = isObject(value) ? value : {};
  const permissions = isObject(outer["permissions"]) ? outer["permissions"] : {};
  return { ...outer, permissions: { ...permissions, deny, ask } };
}
