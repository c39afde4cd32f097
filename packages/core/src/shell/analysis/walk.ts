import type {
  AndOr,
  Case,
  Command,
  CommandNode,
  CompoundList,
  For,
  Function as FunctionNode,
  If,
  ParsedScript,
  Pipeline,
  PipelineNode,
  Select,
  Statement,
  TestExpression,
  While,
} from "unbash";
import { onlyComputes } from "./arithmetic.ts";
import { assignedVariables, MAX_DEPTH, nothingKnown } from "./assigned-variables.ts";
import { assume } from "./assumed-values.ts";
import { bareWords } from "./bare-words.ts";
import { type Directories, merged, movesShell } from "./directories.ts";
import { ARITHMETIC, visitSubscript } from "./expand-word.ts";
import { listsFiles } from "./lists-files.ts";
import { decidesPrograms } from "./meaning.ts";
import { parseShell } from "./parse-shell.ts";
import { hasText, readAssignment, readAssignmentWord, readRedirections, readWords, wordScope } from "./read-words.ts";
import { runCommand } from "./run-command.ts";
import { literal, type ShellWord, UNKNOWN } from "./shell-word.ts";
import { type CommandAnalysis, programOf, type SimpleCommand, withStarted } from "./simple-command.ts";
import { Findings, type Flow, flowOf, type State, type Walk } from "./walk-state.ts";

/** Words of a loop that its body is read with one by one. */
const MAX_LOOP_WORDS = 12;

/** Goes once through a command line and all the scripts in it. `isAssuming`: as if every assignment were made. */
export function walkText(text: string, { isAssuming = false } = {}): CommandAnalysis {
  const walk: Walk = {
    findings: new Findings(),
    ...(isAssuming ? { assumed: new Map() } : {}),
    script: (script, state) => walkScript(script, state, walk),
    text: (inner, state) => walkInnerText(inner, state, walk),
  };
  const out: SimpleCommand[] = [];
  walk.text(text, { directories: [""], input: "none", variables: new Map(), depth: 0, out });
  return { commands: out, doubts: [...walk.findings.doubts] };
}

function walkInnerText(text: string, state: State, walk: Walk): Flow {
  const { findings } = walk;
  const words = state.depth > MAX_DEPTH ? undefined : bareWords(text);
  if (words !== undefined) return walkBareWords(words, state, walk);
  const script = parseShell(text);
  if ("failure" in script) return findings.lost(script.failure, state);
  if (state.depth > MAX_DEPTH) return findings.lost("its scripts lie too deep in each other", state);
  const outer = findings.variables;
  findings.variables = script.errors === undefined ? assignedVariables(script) : nothingKnown;
  const flow = walkScript(script, state, walk);
  findings.variables = outer;
  return flow;
}

function walkBareWords(words: readonly string[], state: State, walk: Walk): Flow {
  if (!walk.findings.takesStep()) return flowOf(state.directories);
  return runCommand({ words: words.map(literal), assignments: [], redirections: [] }, state, walk);
}

function walkScript({ errors = [], commands }: ParsedScript, state: State, walk: Walk): Flow {
  if (errors.length > 0) walk.findings.doubt("it is not well-formed");
  return walkStatements(commands, state, walk);
}

function walkStatements(statements: readonly Statement[], state: State, walk: Walk): Flow {
  let flow = flowOf(state.directories);
  let { directories } = state;
  for (const { command, background } of statements) {
    const own = walkNode(command, { ...state, directories }, walk);
    if (background === true) continue; // it has a shell of its own
    flow = own;
    directories = merged(own.success, own.failure);
  }
  return flow;
}

/** Where the shell may stand after a list, however it ended. */
function walkList(list: CompoundList | undefined, state: State, walk: Walk): Directories {
  if (list === undefined) return state.directories;
  const { success, failure } = walkStatements(list.commands, state, walk);
  return merged(success, failure);
}

function walkNode(node: PipelineNode | AndOr, state: State, walk: Walk): Flow {
  if (node.type === "AndOr") return walkAndOr(node, state, walk);
  return node.type === "Pipeline" ? walkPipeline(node, state, walk) : walkCommand(node, state, walk);
}

function walkAndOr({ commands, operators }: AndOr, state: State, walk: Walk): Flow {
  let flow = flowOf(state.directories);
  for (const [at, command] of commands.entries()) {
    const operator = operators[at - 1];
    const directories = operator === "||" ? flow.failure : flow.success;
    const own = walkNode(command, { ...state, directories }, walk);
    if (operator === undefined) flow = own;
    else if (operator === "&&") flow = { success: own.success, failure: merged(flow.failure, own.failure) };
    else flow = { success: merged(flow.success, own.success), failure: own.failure };
  }
  return flow;
}

function walkPipeline({ commands, prefixes }: Pipeline, state: State, walk: Walk): Flow {
  let { input } = state;
  let flow = flowOf(state.directories);
  for (const command of commands) {
    const before = state.out.length;
    flow = walkCommand(command, { ...state, input }, walk);
    const only = state.out.length === before + 1 ? state.out[before] : undefined;
    input = (only !== undefined && listsFiles(only)) || "piped";
  }
  // Each part has a shell of its own, but for the last one in zsh.
  if (commands.length > 1) return flowOf(merged(state.directories, merged(flow.success, flow.failure)));
  const isNegated = prefixes.some(({ type }) => type === "Negation");
  return isNegated ? { success: flow.failure, failure: flow.success } : flow;
}

function walkCommand(node: CommandNode, state: State, walk: Walk): Flow {
  const { findings } = walk;
  const stays = flowOf(state.directories);
  if (!findings.takesStep()) return stays;
  switch (node.type) {
    case "Command":
      return walkSimple(node, state, walk);
    case "Redirected": {
      const redirections = readRedirections(node.redirects, state, walk);
      findings.add({ words: [], assignments: [], redirections }, state);
      return walkCommand(node.command, hasText(node.redirects) ? { ...state, input: "piped" } : state, walk);
    }
    case "Function":
      walkFunction(node, state, walk);
      return stays;
    case "Coproc":
      findings.doubt("a coprocess runs beside the command");
      if (node.body.type !== "CompoundList") walkCommand(node.body, state, walk);
      return stays;
    case "Subshell":
      walkList(node.body, state, walk);
      return stays;
    case "BraceGroup":
      return walkStatements(node.body.commands, state, walk);
    case "If":
      return flowOf(walkIf(node, state, walk));
    case "While":
      return flowOf(walkWhile(node, state, walk));
    case "For":
    case "Select":
      return flowOf(walkFor(node, state, walk));
    case "ArithmeticFor":
      for (const part of [node.initialize, node.test, node.update]) {
        if (!onlyComputes(part, findings.variables.holdsNumbers)) findings.doubt(ARITHMETIC);
      }
      return flowOf(walkLoop(state, (inner) => walkList(node.body, inner, walk)));
    case "Case":
      return flowOf(walkCase(node, state, walk));
    case "TestCommand":
      walkTest(node.expression, state, walk);
      return stays;
    case "ArithmeticCommand":
      if (!onlyComputes(node.expression, findings.variables.holdsNumbers)) findings.doubt(ARITHMETIC);
      return stays;
    default:
      return node satisfies never;
  }
}

function walkSimple({ name, prefix, suffix, redirects }: Command, state: State, walk: Walk): Flow {
  const assignments = prefix.flatMap((part) => (part.type === "Assignment" ? [readAssignment(part, state, walk)] : []));
  const redirections = readRedirections(redirects, state, walk);
  const words = name === undefined ? [] : readWords([name], state, walk);
  for (const part of suffix) {
    if (part.type === "Word") words.push(...readWords([part], state, walk));
    else if (part.type === "Assignment") words.push(readAssignmentWord(part, state, walk));
  }
  const lasting = words.length === 0 ? assignments.find((each) => decidesPrograms(each.name)) : undefined;
  if (lasting !== undefined) walk.findings.doubt(`it sets ${lasting.name}`);
  if (walk.assumed !== undefined) assume(walk.assumed, words, assignments);
  return runCommand({ words, assignments, redirections }, state, walk);
}

/** Read as if it were called from anywhere; what it is called with is not known. */
function walkFunction({ name, body }: FunctionNode, state: State, walk: Walk): void {
  const { findings } = walk;
  if (!/^[a-z_][\w-]*$/i.test(name.value) || movesShell(name.value)) {
    findings.doubt("a function has the name of something else");
  }
  if (body.type === "CompoundList") return; // a broken one, reported as such
  const before = state.out.length;
  walkCommand(body, { ...state, directories: [undefined], input: "piped", variables: new Map() }, walk);
  const moves = withStarted(state.out.slice(before)).some((command) => movesShell(programOf(command)));
  if (moves) findings.doubt("a function changes the directory");
}

function walkIf(node: If, state: State, walk: Walk): Directories {
  const { success, failure } = walkStatements(node.clause.commands, state, walk);
  let after = walkList(node.then, { ...state, directories: success }, walk);
  let otherwise = failure;
  for (const { clause, then } of node.elif) {
    const flow = walkStatements(clause.commands, { ...state, directories: otherwise }, walk);
    after = merged(after, walkList(then, { ...state, directories: flow.success }, walk));
    otherwise = flow.failure;
  }
  return merged(after, walkList(node.else, { ...state, directories: otherwise }, walk));
}

function walkWhile({ clause, body }: While, state: State, walk: Walk): Directories {
  return walkLoop(state, (inner) => {
    const { success, failure } = walkStatements(clause.commands, inner, walk);
    const directories = merged(success, failure); // `until` goes on after a failure
    return merged(directories, walkList(body, { ...inner, directories }, walk));
  });
}

function walkFor({ name, wordlist, body }: For | Select, state: State, walk: Walk): Directories {
  const { findings } = walk;
  const words = readWords(wordlist ?? [], state, walk);
  if (decidesPrograms(name.value)) findings.doubt(`it sets ${name.value}`);
  const isUnrolled =
    wordlist !== undefined &&
    words.length <= MAX_LOOP_WORDS &&
    words.every(({ value }) => !value.includes(UNKNOWN)) &&
    findings.variables.isSetByLoopAlone(name.value);
  const rounds: (ShellWord | undefined)[] = isUnrolled ? [...words] : [undefined];
  return walkLoop(state, (inner) => {
    let { directories } = inner;
    for (const word of rounds) {
      const variables = new Map(inner.variables);
      if (word !== undefined) variables.set(name.value, word);
      directories = merged(directories, walkList(body, { ...inner, directories, variables }, walk));
    }
    return directories;
  });
}

/** A body that moves is read once more from nowhere known: it may run any number of times. */
function walkLoop(state: State, body: (state: State) => Directories): Directories {
  const after = merged(state.directories, body(state));
  const stays = after.length === state.directories.length && after.every((each) => state.directories.includes(each));
  if (stays) return after;
  body({ ...state, directories: [undefined] });
  return [undefined];
}

function walkCase({ word, items }: Case, state: State, walk: Walk): Directories {
  readWords([word], state, walk);
  let after = state.directories; // `;&` goes on with the next body
  for (const { pattern, body } of items) {
    readWords(pattern, state, walk);
    after = merged(after, walkList(body, { ...state, directories: after }, walk));
  }
  return after;
}

function walkTest(expression: TestExpression, state: State, walk: Walk): void {
  switch (expression.type) {
    case "TestUnary":
      readWords([expression.operand], state, walk);
      if (/^-[vR]$/.test(expression.operator) && !/^\w+$/.test(expression.operand.text))
        walk.findings.doubt(ARITHMETIC);
      if (expression.operator === "-t" && !/^\d+$/.test(expression.operand.text)) walk.findings.doubt(ARITHMETIC);
      return;
    case "TestBinary": {
      const operands = [expression.left, expression.right];
      readWords(operands, state, walk);
      const isArithmetic = /^-(?:eq|ne|lt|le|gt|ge)$/.test(expression.operator);
      if (isArithmetic) for (const operand of operands) visitSubscript(operand, wordScope(state, walk));
      return;
    }
    case "TestLogical":
      for (const operand of expression.operands) walkTest(operand, state, walk);
      return;
    case "TestNot":
      walkTest(expression.operand, state, walk);
      return;
    case "TestGroup":
      walkTest(expression.expression, state, walk);
      return;
    default:
      expression satisfies never;
  }
}
