import type { Assignment, HereDoc, Redirection as RedirectionNode, Word } from "unbash";
import { MAX_DEPTH } from "./assigned-variables.ts";
import { assumedOutput } from "./assumed-values.ts";
import { expandWord, visitSubscript, type WordScope } from "./expand-word.ts";
import { type ShellWord, UNKNOWN } from "./shell-word.ts";
import type { AssignedVariable, Redirection } from "./simple-command.ts";
import { mayRunWhenEvaluated, SUBSCRIPT } from "./subscripts.ts";
import type { State, Walk } from "./walk-state.ts";

/** How the words at one place are read; the commands in their substitutions are added on the way. */
export function wordScope(state: State, walk: Walk): WordScope {
  const { findings } = walk;
  return {
    doubt: (reason) => findings.doubt(reason),
    isNumeric: (variable) => findings.variables.holdsNumbers(variable),
    variable: (name) => state.variables.get(name) ?? walk.assumed?.get(name),
    output: (script) =>
      walk.assumed === undefined ? undefined : assumedOutput(script, (word) => readWords([word], state, walk)),
    substitute: (script) => {
      if (script === undefined) findings.doubt("a substitution cannot be read");
      else if (state.depth > MAX_DEPTH) findings.doubt("its substitutions lie too deep in each other");
      else walk.script(script, { ...state, depth: state.depth + 1, input: "none" });
    },
  };
}

export function readWords(words: readonly Word[], state: State, walk: Walk): ShellWord[] {
  const scope = wordScope(state, walk);
  return words.flatMap((word) => expandWord(word, scope));
}

export function readAssignment(node: Assignment, state: State, walk: Walk): AssignedVariable {
  const { name, index, value, text: source } = node;
  const scope = wordScope(state, walk);
  if (index !== undefined) visitSubscript(index, scope);
  if (value.type === "ArrayValue") {
    const elements = readWords(value.elements, state, walk);
    if (value.elements.some(({ text }) => subscripted.test(text))) walk.findings.doubt(SUBSCRIPT);
    return { name, value: { value: elements.map((element) => element.value).join(" "), source } };
  }
  const [word = { value: "", source: "" }] = expandWord(value, scope);
  if (mayRunWhenEvaluated(word)) walk.findings.doubt(SUBSCRIPT);
  return { name, value: word };
}

/** `[index]=value` among the elements of an array: the index is an expression, but for a number. */
const subscripted = /^\[(?!\d+\]\+?=).*\]\+?=/s;

/** `NAME=value` as an argument. */
export function readAssignmentWord(node: Assignment, state: State, walk: Walk): ShellWord {
  const { name, value } = readAssignment(node, state, walk);
  return {
    value: `${name}=${value.value}`,
    source: node.text,
    ...(value.globAt === undefined ? {} : { globAt: value.globAt + name.length + 1 }),
    ...(value.maySplit === true ? { maySplit: true } : {}),
  };
}

export function readRedirections(nodes: readonly RedirectionNode[], state: State, walk: Walk): Redirection[] {
  return nodes.flatMap((node) => {
    const redirection = node.type === "HereDoc" ? readHereDoc(node, state, walk) : readRedirection(node, state, walk);
    return redirection === undefined ? [] : [redirection];
  });
}

export const hasText = (nodes: readonly RedirectionNode[]): boolean => nodes.some(({ type }) => type !== "Redirect");

function readHereDoc(node: HereDoc, state: State, walk: Walk): Redirection {
  const { parts, text, pos, end } = node.body;
  if (node.closing === undefined) walk.findings.doubt("a here-document has no end");
  if (parts !== undefined) readWords([{ type: "Word", text, value: text, pos, end, parts }], state, walk);
  const value = textOf(node) + (parts === undefined ? "" : UNKNOWN);
  return { type: "text", word: { value, source: text } };
}

/** What the shell makes of a here-document before it hands it on. */
function textOf({ operator, delimiter, body }: HereDoc): string {
  const text = operator === "<<-" ? body.text.replace(/^\t+/gm, "") : body.text;
  if (delimiter?.quoted === true) return text;
  return text.replace(/\\([\\$`\n])/g, (_, char: string) => (char === "\n" ? "" : char));
}

type FileRedirection = Exclude<RedirectionNode, HereDoc>;

/** Undefined for a descriptor that is copied or closed. */
function readRedirection(node: FileRedirection, state: State, walk: Walk): Redirection | undefined {
  const { target, descriptor } = node;
  if (descriptor?.type === "FileDescriptorVariable") walk.findings.doubt("a redirection sets a variable");
  if (target === undefined) return undefined;
  const words = readWords([target], state, walk);
  const word = words.length === 1 && words[0] !== undefined ? words[0] : { value: UNKNOWN, source: target.text };
  if (node.type === "HereString") return { type: "text", word };
  if (/^[!|]/.test(word.value)) walk.findings.doubt("a redirection means different things to different shells");
  if ((node.operator === ">&" || node.operator === "<&") && /^(?:\d+-?|-)$/.test(word.value)) return undefined;
  return { type: node.operator === "<" || node.operator === "<&" ? "input" : "output", word };
}
