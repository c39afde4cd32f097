import type { DoubleQuotedChild, ParameterExpansionPart, ParsedScript, Word, WordPart } from "unbash";
import { isNumber, onlyComputes } from "./arithmetic.ts";
import { expandBraces } from "./expand-braces.ts";
import { mayBeSet } from "./meaning.ts";
import { parseShell } from "./parse-shell.ts";
import { type ShellWord, UNKNOWN } from "./shell-word.ts";

/** What the words of one command line are read with. */
export type WordScope = {
  /** Reads the commands of a substitution. */
  substitute: (script: ParsedScript | undefined) => void;
  doubt: (reason: string) => void;
  /** Whether a variable holds nothing but numbers. */
  isNumeric: (variable: string) => boolean;
  /** What a loop has put into a variable. */
  variable: (name: string) => ShellWord | undefined;
  /** What a substitution prints, where that is assumed. */
  output: (script: ParsedScript | undefined) => string | undefined;
};

/** The words that the shell makes of one. */
export function expandWord(word: Word, scope: WordScope): ShellWord[] {
  if (word.parts?.some((part) => part.type === "BraceExpansion") !== true) return [readWord(word, scope)];
  const sources = expandBraces(word.text);
  if (sources === undefined) {
    for (const part of word.parts) visitPart(part, scope, new Value());
    return [{ value: UNKNOWN, source: word.text, maySplit: true }];
  }
  return sources.flatMap((source) => expandAlternative(source, scope));
}

function expandAlternative(source: string, scope: WordScope): ShellWord[] {
  const parsed = parseShell(`: ${source}`);
  if ("failure" in parsed || parsed.errors !== undefined) scope.doubt("a word in braces cannot be read");
  const command = "failure" in parsed ? undefined : parsed.commands[0]?.command;
  const words = command?.type === "Command" ? command.suffix : [];
  return words.flatMap((each) => (each.type === "Word" ? [readWord(each, scope)] : []));
}

/** What is a pattern to zsh with its option `extendedglob`. */
const extended = /(?<!\\)[\^#~]/;

/** The value of a word as it grows part by part. */
class Value {
  text = "";
  globAt: number | undefined;
  extendedAt: number | undefined;
  maySplit = false;
  isPipe = false;

  unknown({ isQuoted }: { isQuoted: boolean }): void {
    this.text += UNKNOWN;
    if (!isQuoted) this.maySplit = true;
  }
  glob(text: string): void {
    this.globAt ??= this.text.length;
    this.text += text;
  }
  /** A text without quotes. */
  bare(source: string, text: string): void {
    const at = extended.exec(this.text === "" ? source.replace(/^~/, " ") : source)?.index;
    if (at !== undefined) this.extendedAt ??= this.text.length + at;
    this.text += text;
  }
}

function readWord(word: Word, scope: WordScope): ShellWord {
  const value = new Value();
  if (word.parts === undefined) addBare(word.text, word.value, scope, value);
  else for (const part of word.parts) visitPart(part, scope, value);
  if (isSubscripted(word.parts)) scope.doubt(READ_DIFFERENTLY);
  return finished(word, value);
}

function finished({ text: source, parts }: Word, value: Value): ShellWord {
  const { globAt, extendedAt, maySplit } = value;
  const isAlone = parts?.length === 1;
  const text = withTilde(source, value.text);
  const moved = text.length - value.text.length;
  return {
    value: text,
    source,
    ...(globAt === undefined ? {} : { globAt: globAt + moved }),
    ...(extendedAt === undefined ? {} : { extendedAt: extendedAt + moved }),
    ...(maySplit ? { maySplit } : {}),
    ...(value.isPipe && isAlone ? { isPipe: true } : {}),
  };
}

const home = /^(?:\$HOME|\$\{HOME\}|"\$HOME"|"\$\{HOME\}")(?=\/|$)|^"(?:\$HOME|\$\{HOME\})(?=\/)/;
const here = /^(?:\$PWD|\$\{PWD\}|"\$PWD"|"\$\{PWD\}")(?=\/|$)|^"(?:\$PWD|\$\{PWD\})(?=\/)/;

function withTilde(source: string, value: string): string {
  if (home.test(source)) return `~${value.slice(UNKNOWN.length)}`;
  if (here.test(source)) return `.${value.slice(UNKNOWN.length)}`;
  if (!value.startsWith("~")) return value;
  if (!source.startsWith("~")) return `./${value}`; // quoted
  if (/^~\+(?:\/|$)/.test(value)) return `.${value.slice(2)}`;
  return value === "~" || value.startsWith("~/") ? value : UNKNOWN + value.slice(1); // of another user, or a stack
}

/** `$~x`, `$=x`, `$^x`: to zsh the variable's value as a pattern, or several words. */
const zshExpansion = /(?<!\\)\$[~=^]/;

function addBare(source: string, text: string, scope: WordScope, value: Value): void {
  if (zshExpansion.test(source)) scope.doubt(READ_DIFFERENTLY);
  value.bare(source, text);
}

function addQuoted(source: string, text: string, scope: WordScope, value: Value): void {
  if (zshExpansion.test(source)) scope.doubt(READ_DIFFERENTLY);
  value.text += text;
}

/** `$x[…]`: to zsh a subscript, quoted or not, which is evaluated. */
const isSubscripted = (parts: readonly { type: string; text: string }[] = []): boolean =>
  parts.some(
    ({ type }, at) => type === "SimpleExpansion" && /^\[(?![\d, -]+\]|[@*]\])/.test(parts[at + 1]?.text ?? ""),
  );

function visitPart(part: WordPart, scope: WordScope, value: Value): void {
  switch (part.type) {
    case "Literal":
      addBare(part.text, part.value, scope, value);
      return;
    case "SingleQuoted":
      value.text += part.value;
      return;
    case "AnsiCQuoted":
      if (isReadAlike(part.text, part.value)) value.text += part.value;
      else value.unknown({ isQuoted: true });
      return;
    case "Glob":
      value.glob(visitBracket(part.parts ?? [], scope) ? UNKNOWN : part.value);
      return;
    case "DoubleQuoted":
      for (const child of part.parts) visitQuoted(child, scope, value);
      if (isSubscripted(part.parts)) scope.doubt(READ_DIFFERENTLY);
      return;
    case "LocaleString": // translated by some shells, `$` and text to others
      for (const child of part.parts) visitQuoted(child, scope, new Value());
      value.unknown({ isQuoted: true });
      return;
    case "ProcessSubstitution":
      scope.substitute(part.script);
      value.unknown({ isQuoted: true });
      value.isPipe = true;
      return;
    case "ExtendedGlob": // in zsh the brackets after a glob may hold code
      scope.doubt("an extended glob means different things to different shells");
      value.glob(part.text);
      return;
    case "BraceExpansion":
      for (const inner of part.parts ?? []) visitPart(inner, scope, new Value());
      value.unknown({ isQuoted: false });
      return;
    default:
      visitExpansion(part, scope, value, false);
  }
}

/** The parts of `[…]`; whether what stands there is only known when the shell runs. */
function visitBracket(parts: readonly WordPart[], scope: WordScope): boolean {
  const inner = new Value();
  for (const part of parts) visitPart(part, scope, inner);
  return inner.text.includes(UNKNOWN);
}

function visitQuoted(part: DoubleQuotedChild, scope: WordScope, value: Value): void {
  if (part.type === "Literal") addQuoted(part.text, part.value, scope, value);
  else visitExpansion(part, scope, value, true);
}

type Expansion = Exclude<DoubleQuotedChild, { type: "Literal" }>;

function visitExpansion(part: Expansion, scope: WordScope, value: Value, isQuoted: boolean): void {
  switch (part.type) {
    case "SimpleExpansion":
      addVariable(part.text.slice(1), scope, value, isQuoted && !/^\$[@*]/.test(part.text));
      return;
    case "ParameterExpansion":
      visitParameter(part, scope);
      if (part.operation === undefined && part.prefix === undefined && part.index === undefined) {
        addVariable(part.parameter, scope, value, isQuoted && !/^[@*]$/.test(part.parameter));
      } else value.unknown({ isQuoted: isQuoted && !/@/.test(part.text) });
      return;
    case "CommandExpansion":
      if (part.text.startsWith("${")) scope.doubt("a substitution runs in the shell itself");
      scope.substitute(part.script);
      addOutput(scope.output(part.script), value, isQuoted);
      return;
    case "ArithmeticExpansion":
      if (!onlyComputes(part.expression, scope.isNumeric)) scope.doubt(ARITHMETIC);
      if (part.expression !== undefined) substituteIn(part.expression, scope);
      value.unknown({ isQuoted: true });
      return;
    default:
      part satisfies never;
  }
}

export const ARITHMETIC = "arithmetic on what may be more than a number";

/** Commands in arithmetic, which no number excuses: they are there to be judged. */
function substituteIn(expression: object, scope: WordScope): void {
  for (const child of Object.values(expression)) {
    if (typeof child !== "object" || child === null) continue;
    if ("type" in child && "script" in child && isScript(child.script)) scope.substitute(child.script);
    else substituteIn(child, scope);
  }
}

const isScript = (script: unknown): script is ParsedScript =>
  typeof script === "object" && script !== null && "type" in script && script.type === "Script";

function addVariable(name: string, scope: WordScope, value: Value, isQuoted: boolean): void {
  const known = scope.variable(name);
  if (known === undefined) {
    value.unknown({ isQuoted });
    return;
  }
  if (known.globAt !== undefined) value.globAt ??= value.text.length + known.globAt;
  if (known.maySplit === true || (!isQuoted && /[\s*?[]/.test(known.value))) value.maySplit = true;
  value.text += known.value;
}

function addOutput(text: string | undefined, value: Value, isQuoted: boolean): void {
  if (text === undefined) value.unknown({ isQuoted });
  else value.text += text;
}

function visitParameter(part: ParameterExpansionPart, scope: WordScope): void {
  const { operation, index, prefix, parameter } = part;
  if (prefix === "!" || parameter === "") scope.doubt(READ_DIFFERENTLY);
  if (index !== undefined) visitSubscript(index, scope);
  switch (operation?.type) {
    case undefined:
    case "Names":
      return;
    case "Default":
      if (/=/.test(operation.operator) && !mayBeSet(parameter)) scope.doubt(`an expansion sets ${parameter}`);
      expandOperand(operation.operand, scope);
      return;
    case "Remove":
      expandOperand(operation.operand, scope);
      return;
    case "Replace":
      expandOperand(operation.pattern, scope);
      expandOperand(operation.replacement, scope);
      return;
    case "CaseModification":
      if (operation.operand !== undefined) expandOperand(operation.operand, scope);
      return;
    case "Slice":
      visitSubscript(operation.offset, scope);
      if (operation.length !== undefined) visitSubscript(operation.length, scope);
      return;
    case "Transform":
      expandWord(operation.operand, scope);
      if (!/^[QULuEA]$/.test(operation.operand.value)) scope.doubt("an expansion may run what a variable holds");
      return;
    case "Unknown":
      scope.doubt(READ_DIFFERENTLY);
      return;
    default:
      operation satisfies never;
  }
}

const READ_DIFFERENTLY = "an expansion means different things to different shells";

/** A word inside an expansion. What it gives may be a pattern, in whose brackets zsh finds code. */
function expandOperand(word: Word, scope: WordScope): void {
  const sources = word.parts?.flatMap((part) => (part.type === "Literal" ? [part.text] : [])) ?? [word.text];
  if (sources.some((source) => /(?<!\\)\(/.test(source))) scope.doubt(READ_DIFFERENTLY);
  // In a here-document, and to some shells in double quotes, a single quote in it is none.
  if (word.parts?.some(({ type, text }) => /^(?:SingleQuoted|AnsiCQuoted)$/.test(type) && /.[$`]/s.test(text)))
    scope.doubt(READ_DIFFERENTLY);
  expandWord(word, scope);
}

/** Subscripts and offsets are arithmetic. */
export function visitSubscript(word: Word, scope: WordScope): void {
  expandWord(word, scope);
  const variable = /^\$?([A-Za-z_]\w*)$/.exec(word.text)?.[1];
  const isNumeric = isNumber(word.text) || (variable !== undefined && scope.isNumeric(variable));
  if (!isNumeric && !/^[@*]$/.test(word.text)) scope.doubt(ARITHMETIC);
}

/** Whether all shells read the escapes of `$'…'` as the grammar does. */
const isReadAlike = (source: string, value: string): boolean =>
  !/[\0\ufffd]/.test(value) && !/\\(?:[cCM0]|[xuU]0*(?![0-9a-fA-F]))/.test(source);
