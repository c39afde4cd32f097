import { createRequire } from "node:module";
import type { ParsedScript, SyntaxNode } from "unbash";
import { hasBracketedComment } from "./bracketed-comment.ts";

type Parser = {
  parse: (source: string) => ParsedScript;
  forEachChild: (node: SyntaxNode, visit: (child: SyntaxNode) => void) => void;
};

/** Loaded with the first command line, so that no start pays for it; synchronously, because tools answer synchronously. */
let parser: Parser | undefined;

/** A command that is longer is not looked at: no system runs one much longer. Characters. */
export const MAX_PARSED_CHARS = 100_000;

/**
 * Besides tab and newline no control character, and no blank but the common one: shells and locales disagree on whether
 * they end a word.
 */
const OPEN_TO_READINGS = /[^\P{Cc}\n\t]|[^\P{Zs} ]|[\u2028\u2029\ufeff]|\p{Cs}/u;

/** The grammar of a command line, or why it has none that every shell would agree on. */
export function parseShell(source: string): ParsedScript | { failure: string } {
  if (source.length > MAX_PARSED_CHARS) return { failure: "it is too long to be read" };
  if (OPEN_TO_READINGS.test(source)) return { failure: "it has control characters or unusual blanks" };
  if (hasBracketedComment(source)) return { failure: "a comment follows an opening bracket" };
  return loadParser().parse(source);
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  loadParser().forEachChild(node, (child) => children.push(child));
  return children;
}

function loadParser(): Parser {
  if (parser === undefined) {
    const load: (name: string) => Parser = createRequire(import.meta.url);
    parser = load("unbash");
  }
  return parser;
}
