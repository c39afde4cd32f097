/** Rules that keep things from happening: a broken file must not take them away in silence. */
export const keptLists = ["deny", "ask"] as const;
export type KeptRules = { readonly [List in (typeof keptLists)[number]]: readonly string[] };

/** A whole JSON string. */
const jsonString = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
/** `Tool` or `Tool(…)`, and not what stands between two strings, such as `", "`. */
const ruleShape = /^\s*[^\s,()":[\]{}\uFFFD]+(?:\([^\uFFFD]*)?$/;

/**
 * The deny and ask rules that can be told in a text that is no JSON: the rule-like strings between the list's key and the next
 * key that settings have. Rather one too many than one too few: also those behind an end that is missing, those that a lost
 * quote has turned inside out, and those in a comment.
 *
 * @param knownKeys at these a list has ended.
 */
export function salvageRules(text: string, knownKeys: Iterable<string>): KeptRules {
  const rules = { deny: new Set<string>(), ask: new Set<string>() };
  const marks = keyMarks(text, knownKeys);
  for (const [at, mark] of marks.entries()) {
    const list = keptLists.find((name) => name === mark.key);
    if (list !== undefined) addRules(text.slice(mark.end, marks[at + 1]?.start), rules[list]);
  }
  return { deny: [...rules.deny], ask: [...rules.ask] };
}

/** Blanks between the parts of a key; without the bound a text of nothing but lines would take minutes. */
const gap = "\\s{0,64}";

type Mark = { key: string; start: number; end: number };

/** Where keys of settings stand, also with a quote or the colon missing. A rule's own text never looks like one. */
function keyMarks(text: string, knownKeys: Iterable<string>): Mark[] {
  const escaped = [...new Set([...knownKeys, ...keptLists])].map((key) => key.replace(/\W/g, "\\$&"));
  const names = `(${escaped.join("|")})`;
  const lists = `(${keptLists.join("|")})`;
  const spellings = [
    `(?<!\\\\)"${names}"?${gap}:`,
    `(?<![\\w$\\\\-])${names}"${gap}:`,
    `(?<![:\\\\]${gap})"${lists}"`, // not as a value, as in "decision": "deny"
    `(?<![\\w$-])'${lists}'${gap}:`,
    `(?:^|\\{)${gap}${lists}${gap}[:=]?${gap}\\[`,
  ];
  return [...text.matchAll(new RegExp(spellings.join("|"), "gm"))].map((match) => ({
    key: match.slice(1).find((name) => name !== undefined) ?? "",
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function addRules(region: string, rules: Set<string>): void {
  let ruleEnd = -1;
  for (let at = region.indexOf('"'); at !== -1; at = region.indexOf('"', at + 1)) {
    if (isEscaped(region, at, ruleEnd)) continue; // a quote inside a string
    jsonString.lastIndex = at;
    const [found] = jsonString.exec(region) ?? [];
    if (found === undefined) continue;
    const rule: unknown = JSON.parse(found);
    if (typeof rule !== "string" || !ruleShape.test(rule)) continue;
    rules.add(rule);
    ruleEnd = at + found.length;
  }
  if (region.includes('"')) return;
  for (const [, rule = ""] of region.matchAll(/'([^'\n]*)'/g)) if (ruleShape.test(rule)) rules.add(rule);
}

/** An odd number of backslashes stands before it, and not right behind a rule, where they escape nothing. */
function isEscaped(text: string, at: number, ruleEnd: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === "\\") slashes++;
  return slashes % 2 === 1 && at - slashes !== ruleEnd;
}
