import { MAX_DEPTH } from "./assigned-variables.ts";
import { type Directories, entered, movesShell } from "./directories.ts";
import { decidesPrograms } from "./meaning.ts";
import { isKnown, type ShellWord, UNKNOWN } from "./shell-word.ts";
import { programOf, type Redirection, type SimpleCommand } from "./simple-command.ts";
import { mayEvaluateSubscript, SUBSCRIPT } from "./subscripts.ts";
import { type Flow, type FoundCommand, flowOf, type State, type Walk, type WrittenCommand } from "./walk-state.ts";
import { type Started, startedBy } from "./wrappers.ts";

/** Adds a command and all that it starts. */
export function runCommand(command: WrittenCommand, state: State, walk: Walk): Flow {
  const { findings } = walk;
  const { directories } = state;
  const found = findings.add(command, state);
  const [name, ...args] = command.words;
  if (found === undefined || name === undefined) return flowOf(directories);
  if (!isLiteralName(name)) return findings.lost("the name of a program is only known when it runs", state);
  const program = programOf(command);
  if (/^(?:export|read)$/.test(program) && args.some(({ value }) => decidesPrograms(/^\w*/.exec(value)?.[0] ?? ""))) {
    findings.doubt("it changes which programs later commands run");
  }
  if (mayEvaluateSubscript(program, args)) findings.doubt(SUBSCRIPT);
  if (movesShell(program)) {
    const success: Directories = command.assignments.length > 0 ? [undefined] : entered(program, args, directories);
    return { success, failure: directories };
  }
  const text = command.redirections.find(({ type }) => type === "text");
  const started = startedBy(command.words, program, text === undefined ? state.input : "piped");
  return start(started, found, text, state, walk);
}

/** Also what a loop puts there is not literal; an unquoted `=` at its beginning is replaced by zsh. */
const isLiteralName = (name: ShellWord): boolean =>
  isKnown(name) && name.value !== "" && !/^=|\$(?!')|`/.test(name.source);

function start(started: Started, command: FoundCommand, text: Redirection | undefined, state: State, walk: Walk): Flow {
  const stays = flowOf(state.directories);
  if (started.type === "nothing") return stays;
  if (started.type === "doubt") return walk.findings.lost(started.reason, state);
  if (state.depth > MAX_DEPTH) return walk.findings.lost("its commands lie too deep in each other", state);
  const inner: State = {
    ...state,
    depth: state.depth + 1,
    input: text === undefined ? state.input : "piped",
    out: command.starts,
  };
  const program = programOf(command);
  switch (started.type) {
    case "command": {
      command.wrapper = started.wrapper;
      const { words, assignments = [] } = started;
      const flow = runCommand({ words, assignments, redirections: [] }, inner, walk);
      return runsInShell.has(program) ? flow : stays;
    }
    case "commands": {
      command.wrapper = started.wrapper;
      const where = runsElsewhere(command) ? { ...inner, directories: [undefined] } : inner;
      for (const words of started.each) runCommand({ words, assignments: [], redirections: [] }, where, walk);
      return stays;
    }
    case "script": {
      command.wrapper = program === "watch" || program === "flock" ? "executor" : "starter";
      const flow = walk.text(started.text, { ...inner, variables: new Map() });
      return started.inShell ? flow : stays;
    }
    case "input":
      return runInput(command, text, state, inner, walk);
    default:
      return started satisfies never;
  }
}

/** Wrappers that are no program of their own, so that a `cd` behind them moves the shell. */
const runsInShell: ReadonlySet<string> = new Set(["command", "builtin", "-", "noglob", "nocorrect"]);

const runsElsewhere = (command: SimpleCommand) => command.words.some(({ value }) => /^-(?:exec|ok)dir$/.test(value));

/** A shell that reads its commands from its standard input: known is only a text that is written out there. */
function runInput(command: FoundCommand, text: Redirection | undefined, state: State, inner: State, walk: Walk): Flow {
  const stays = flowOf(state.directories);
  const file = command.redirections.find(({ type }) => type === "input");
  const isText = text !== undefined && !text.word.value.includes(UNKNOWN);
  const isFile = text === undefined && (file === undefined || isKnown(file.word));
  // What is piped in counts in any case: to zsh a redirection adds to it.
  if (state.input !== "none" || !(isText || isFile)) {
    return walk.findings.lost("a shell runs what is put into it", state);
  }
  if (isText) {
    command.wrapper = "starter";
    walk.text(text.word.value, { ...inner, variables: new Map() });
  }
  return stays;
}
