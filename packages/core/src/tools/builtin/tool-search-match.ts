import type { DeferredTools } from "../tool.ts";

/** A longer query says no more. Words. */
const MAX_WORDS = 30;

const NAME_PART = 10;
const INSIDE_NAME = 5;
const DESCRIPTION_WORD = 3;
const INSIDE_DESCRIPTION = 1;

/** The names of a `select:A,B` query; undefined for words. */
export function selectedNames(query: string): readonly string[] | undefined {
  const list = /^\s*select:(.*)$/is.exec(query)?.[1];
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** Names of the tools that fit the words best, best first; of equal ones in their own order. A word with `+` must be there. */
export function bestMatches(query: string, tools: DeferredTools["tools"], count: number): string[] {
  const words = query.toLowerCase().split(/\s+/).slice(0, MAX_WORDS);
  const required = words.flatMap((word) => (word.startsWith("+") ? partsOf(word) : []));
  const wanted = words.flatMap(partsOf);
  return tools
    .map((tool) => ({ name: tool.name, text: textOf(tool) }))
    .filter(({ text }) => required.every((part) => score(part, text) > 0))
    .map(({ name, text }) => ({ name, points: wanted.reduce((sum, part) => sum + score(part, text), 0) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .slice(0, count)
    .map(({ name }) => name);
}

type ToolText = { name: string; nameParts: readonly string[]; description: string; words: ReadonlySet<string> };

/** Parameters count as part of the description: who looks for a "channel" means a tool that takes one. */
function textOf({ name, description, inputSchema }: DeferredTools["tools"][number]): ToolText {
  const properties = "properties" in inputSchema ? inputSchema.properties : undefined;
  const parameters = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const text = [description, ...parameters].join(" ");
  return {
    name: name.toLowerCase(),
    nameParts: partsOf(name),
    description: text.toLowerCase(),
    words: new Set(partsOf(text)),
  };
}

/** `sendMessage` and `mcp__slack__send` in words; letters of any script. */
function partsOf(text: string): string[] {
  const spaced = text.replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2").toLowerCase();
  return spaced.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== "");
}

function score(part: string, { name, nameParts, description, words }: ToolText): number {
  if (nameParts.includes(part)) return NAME_PART;
  if (name.includes(part)) return INSIDE_NAME;
  if (words.has(part)) return DESCRIPTION_WORD;
  return part.length > 2 && description.includes(part) ? INSIDE_DESCRIPTION : 0;
}
