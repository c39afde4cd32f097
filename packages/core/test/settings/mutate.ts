import { isUtf8 } from "node:buffer";
import ts from "typescript";
import type { Chance } from "../recovery/seeded.ts";

/** Settings files as people and programs damage them, from a seed. */

const rules = [
  "Bash(rm -rf *)",
  'Bash(echo "no [way], {no}: not this" *)',
  "Bash(env:*)",
  "Bash(git push --force*)",
  "Read(./.env)",
  "Read(~/.ssh/**)",
  "Edit(//etc/**)",
  "WebFetch(domain:*.internal.example)",
  "WebSearch",
  "mcp__db__drop_*",
  "Bash(printf '\\\\n' *)",
  "Read(/geheim/Schlüssel.txt)",
];

const indents = ["\t", 2, 4, 0] as const;

/** The text of a whole file; each of its deny and ask rules stands there once. */
export function settingsText(chance: Chance): string {
  const shuffled = rules.map((rule) => ({ rule, at: chance.below(1_000) })).sort((a, b) => a.at - b.at);
  const deny = shuffled.slice(0, 1 + chance.below(5)).map(({ rule }) => rule);
  const ask = shuffled.slice(6, 6 + chance.below(3)).map(({ rule }) => rule);
  const permissions = entriesInAnyOrder(chance, {
    allow: ["Read", "Bash(npm run *)", "Edit(/src/**)"],
    deny,
    ask,
    defaultMode: "plan",
  });
  const more = {
    model: "sonnet",
    env: { NODE_ENV: "test" },
    hooks: { Stop: [] },
    enabledPlugins: { "a@b": true },
    ours: [1.0, { deny: 1 }],
  };
  return JSON.stringify(entriesInAnyOrder(chance, { permissions, ...more }), null, chance.pick(indents));
}

const entriesInAnyOrder = (chance: Chance, value: object): object =>
  Object.fromEntries(
    Object.entries(value)
      .map((entry) => ({ entry, at: chance.below(1_000) }))
      .sort((a, b) => a.at - b.at)
      .map(({ entry }) => entry),
  );

const odd = [
  '"',
  "'",
  ",",
  ":",
  "{",
  "}",
  "[",
  "]",
  "\\",
  "\n",
  "\0",
  "//",
  "/*",
  "\uFEFF",
  "é",
  "0",
  "<<<<<<< HEAD\n",
  "null",
  '"deny": []',
  '"permissions": {"deny": []},',
];

type Mutation = (text: string, chance: Chance) => string;

const cut = (text: string, from: number, to: number, between = "") => text.slice(0, from) + between + text.slice(to);
const mutations: readonly Mutation[] = [
  (text, chance) => insertAt(text, chance, chance.pick(odd)),
  (text, chance) => {
    const at = chance.below(text.length);
    return cut(text, at, at + 1, chance.pick(odd));
  },
  (text, chance) => {
    const at = chance.below(text.length);
    return cut(text, at, at + 1 + chance.below(12));
  },
  (text, chance) => text.slice(0, chance.below(text.length)),
  (text, chance) => text.slice(0, chance.below(text.length)).padEnd(text.length, "\0"),
  (text, chance) => text.slice(0, chance.below(text.length)) + text.slice(chance.below(text.length)),
  (text, chance) => {
    const at = chance.below(text.length);
    return insertAt(text, chance, text.slice(at, at + chance.below(200)));
  },
  (text, chance) => withoutOne(text, '"', chance),
  (text, chance) => withoutOne(text, chance.pick([",", ":", "[", "]", "{", "}", "\n"]), chance),
  (text, chance) =>
    text
      .split("\n")
      .filter((_, at, all) => at !== chance.below(all.length))
      .join("\n"),
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => `\uFEFF${text}`,
  (text) => text + text,
  (text) => text.replace(/"deny": ?\[/, (found) => `${found}[`),
  (text) => text.replace(/\n(\s*)\]/, ",\n$1]"),
  (text) => text.replace(/\{/, '{"permissions": {"deny": ["Bash(dd *)"]}, '),
  (text) => text.replace(/"permissions": ?\{/, (found) => `${found}"deny": "Bash(mkfs *)", `),
  (text) => text.replace(/\n/, "\n// why\n"),
];

const insertAt = (text: string, chance: Chance, added: string): string => {
  const at = chance.below(text.length + 1);
  return cut(text, at, at, added);
};

function withoutOne(text: string, what: string, chance: Chance): string {
  const places = [...text.matchAll(new RegExp(`\\${what}`, "g"))].map(({ index }) => index);
  if (places.length === 0) return text;
  const at = chance.pick(places);
  return cut(text, at, at + 1);
}

/** A damaged file, as bytes: some are no UTF-8 any more. */
export function damaged(text: string, chance: Chance): Buffer {
  let mutated = text;
  for (let left = 1 + chance.below(3); left > 0 && mutated !== ""; left--)
    mutated = chance.pick(mutations)(mutated, chance);
  const bytes = Buffer.from(mutated);
  if (bytes.length > 0 && chance.percent(10)) bytes[chance.below(bytes.length)] = chance.below(256);
  return bytes;
}

/**
 * The rules of a list that must hold. In JSON: each text below `permissions` and the list, also where the key stands twice.
 * In anything else: each rule that stands whole behind the list's key and before the next key.
 */
export function survivors(bytes: Buffer, list: "deny" | "ask"): string[] {
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF+/, "");
  return isUtf8(bytes) && isJson(text)
    ? textsOf(text, list)
    : rules.filter((rule) => standsIn(text, list, JSON.stringify(rule)));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function textsOf(text: string, list: string): string[] {
  const root = ts.parseJsonText("settings.json", text).statements[0]?.expression;
  const permissions = valuesOf(root === undefined ? [] : [root], "permissions");
  return valuesOf(permissions, list).flatMap(textsWithin);
}

const valuesOf = (nodes: readonly ts.Node[], key: string): ts.Node[] =>
  nodes.flatMap((node) =>
    ts.isObjectLiteralExpression(node)
      ? node.properties.flatMap((each) =>
          ts.isPropertyAssignment(each) && ts.isStringLiteral(each.name) && each.name.text === key
            ? [each.initializer]
            : [],
        )
      : [],
  );

function textsWithin(node: ts.Node): string[] {
  if (ts.isStringLiteral(node)) return [node.text];
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap(textsWithin);
  return ts.isObjectLiteralExpression(node)
    ? node.properties.flatMap((each) => (ts.isPropertyAssignment(each) ? textsWithin(each.initializer) : []))
    : [];
}

/** Also one that has lost a quote, or a list of rules that has lost its colon: people read them as such. */
const nextKey = /(?<!\\)"[\w$]+"?\s*:|(?<![\w\\"])[\w$]+"\s*:|"(?:allow|ask|deny)"/;

function standsIn(text: string, list: string, rule: string): boolean {
  return [...text.matchAll(new RegExp(`(?<!\\\\)"${list}"\\s*:`, "g"))].some(({ index, 0: key }) => {
    const behind = text.slice(index + key.length);
    const end = behind.search(nextKey);
    return behind.slice(0, end === -1 ? undefined : end).includes(rule);
  });
}
