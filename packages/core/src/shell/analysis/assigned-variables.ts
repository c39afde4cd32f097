import type { ArithmeticExpression, Command, ParsedScript, SyntaxNode, Word } from "unbash";
import { isNumber } from "./arithmetic.ts";
import { childrenOf } from "./parse-shell.ts";

/** What a script does with its variables, wherever in it. */
export type AssignedVariables = {
  /** Whether nothing but numbers is ever put into it. */
  holdsNumbers: (name: string) => boolean;
  /** Whether one loop sets it and nothing else does. */
  isSetByLoopAlone: (name: string) => boolean;
};

/** Of a script that nobody can say this of. */
export const nothingKnown: AssignedVariables = { holdsNumbers: () => false, isSetByLoopAlone: () => false };

/** Builtins whose words are names of variables that they set to anything. */
const setters: ReadonlySet<string> = new Set(
  "read mapfile readarray getopts printf declare typeset local readonly export unset vared select let wait".split(" "),
);

/** They run a builtin, or a text, in the shell itself: what that sets is not seen here. */
const hiders: ReadonlySet<string> = new Set("eval builtin command noglob nocorrect - exec source .".split(" "));

/** The shell itself sets them, to numbers. */
const numbersOfTheShell: ReadonlySet<string> = new Set(
  "RANDOM SECONDS LINENO EPOCHSECONDS UID EUID PPID BASHPID SHLVL".split(" "),
);

/** Scripts within scripts that are looked into; the walk goes no deeper. */
export const MAX_DEPTH = 20;

export function assignedVariables(script: ParsedScript): AssignedVariables {
  const numeric = new Set<string>();
  const other = new Set<string>();
  const loops = new Map<string, number>();
  const assigned = new Set<string>();
  let isHidden = false;

  const assign = (name: string, isNumeric: boolean) => {
    assigned.add(name);
    (isNumeric ? numeric : other).add(name);
  };
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > MAX_DEPTH) return; // scripts that deep are asked about for their depth alone
    if (node.type === "Assignment") assign(node.name, node.value.type === "Word" && isNumeric(node.value));
    if (node.type === "For" || node.type === "Select") {
      const { value } = node.name;
      loops.set(value, (loops.get(value) ?? 0) + 1);
      const holdsNumbers = node.wordlist?.every((word) => isNumeric(word) || range.test(word.text)) ?? false;
      (holdsNumbers ? numeric : other).add(value);
    }
    if (node.type === "ParameterExpansion" && node.operation?.type === "Default") {
      if (node.operation.operator.includes("=")) assign(node.parameter, isNumeric(node.operation.operand));
    }
    if (node.type === "Command") {
      for (const name of setBy(node)) assign(name, false);
      isHidden ||= hiders.has(node.name?.value ?? "");
    }
    if (isAssigning(node)) assign(node.left.value, true);
    for (const child of childrenOf(node)) visit(child, child.type === "Script" ? depth + 1 : depth);
  };
  visit(script, 0);
  if (isHidden) return nothingKnown;
  return {
    holdsNumbers: (name) => !other.has(name) && (numeric.has(name) || numbersOfTheShell.has(name)),
    isSetByLoopAlone: (name) => loops.get(name) === 1 && !assigned.has(name),
  };
}

const range = /^\{\d{1,9}\.\.\d{1,9}\}$/;

/** A number, or the result of arithmetic, which is one. */
const isNumeric = ({ text, parts }: Word): boolean =>
  isNumber(text) || (parts?.length === 1 && parts[0]?.type === "ArithmeticExpansion");

type Assigning = ArithmeticExpression & { type: "ArithmeticBinary"; left: { type: "ArithmeticWord" } };

const isAssigning = (node: SyntaxNode): node is Assigning =>
  node.type === "ArithmeticBinary" &&
  /^(?:[-+*/%&|^]|<<|>>)?=$/.test(node.operator) &&
  node.left.type === "ArithmeticWord";

/** Every name in every word: `read a b`, `printf -vname`, `let "a=1"`. */
function setBy({ name, suffix }: Command): string[] {
  if (name === undefined || !setters.has(name.value)) return [];
  return suffix.flatMap((part) => {
    if (part.type !== "Word") return [];
    return [part.value, part.value.replace(/^-[a-zA-Z]/, "")].flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);
  });
}
