import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { analyzeCommand } from "../../src/shell/analysis/analyze-command.ts";
import { isKnown } from "../../src/shell/analysis/shell-word.ts";
import { programOf, type SimpleCommand } from "../../src/shell/analysis/simple-command.ts";
import { deniedCommands, disguise } from "./disguise.ts";
import { generateCommand } from "./generate-commands.ts";
import { seededRandom } from "./random.ts";

const COMPARED = process.env["PAWL_LONG"] === "1" ? 20_000 : 600;
const SEED = Number(process.env["PAWL_SEED"] ?? 1);

type Node = { Args?: Word[]; Name?: { Value: string } };
type Word = { Parts: Part[] };
type Part = { Value?: string; Dollar?: boolean; Parts?: Part[] };
type Oracle = {
  syntax: {
    NewParser: () => { Parse: (source: string, name: string) => Node };
    Walk: (node: Node, visit: (node: Node | null) => boolean) => void;
    NodeType: (node: Node | Part) => string;
  };
};

const load: (name: string) => Oracle = createRequire(import.meta.url);
const { syntax } = load("mvdan-sh");

/** The literal names of programs in a command line, as another grammar sees them; undefined where it cannot read it. */
function namesByOracle(line: string): Set<string> | undefined {
  const names = new Set<string>();
  try {
    const visit = (node: Node | null): boolean => {
      if (node !== null && syntax.NodeType(node) === "CallExpr") {
        const name = literalOf(node.Args?.[0]);
        if (name !== undefined) names.add(name);
      }
      return true;
    };
    syntax.Walk(syntax.NewParser().Parse(line, ""), visit);
    return names;
  } catch {
    return undefined; // it refuses a part of what bash accepts
  }
}

function literalOf(word: Word | undefined): string | undefined {
  if (word === undefined) return undefined;
  const values = word.Parts.map(valueOfPart);
  return values.includes(undefined) ? undefined : values.join("");
}

function valueOfPart(part: Part): string | undefined {
  switch (syntax.NodeType(part)) {
    case "Lit":
      return /[*?[{~]/.test(part.Value ?? "") ? undefined : part.Value?.replace(/\\\n/g, "").replace(/\\(.)/g, "$1");
    case "SglQuoted":
      return part.Dollar === true ? undefined : part.Value;
    case "DblQuoted": {
      const values = (part.Parts ?? []).map(valueOfPart);
      return values.includes(undefined) ? undefined : values.join("");
    }
    default:
      return undefined;
  }
}

/** Words that one of the two grammars takes for a clause of its own, or that it does not expand from braces. */
const clauses = new Set("export declare local readonly typeset nameref let time victim victor".split(" "));

/** Names that both grammars read the same way, if they find them. */
const isComparable = (name: string) => /^[\w./-]+$/.test(name) && !clauses.has(name);

/** After a pipe or an assignment `time` is a keyword to one of them and a program to the other. */
const withTimed = (commands: readonly SimpleCommand[]): SimpleCommand[] =>
  commands.flatMap((command) => [command, ...(programOf(command) === "time" ? withTimed(command.starts) : [])]);

const namesOf = (commands: readonly SimpleCommand[]): Set<string> =>
  new Set(
    commands.flatMap(({ words: [name] }) =>
      name !== undefined && isKnown(name) && !/[$`{~]/.test(name.source) ? [name.value] : [],
    ),
  );

test("two grammars find the same programs in generated and in disguised commands", () => {
  const random = seededRandom(SEED);
  const differences: string[] = [];
  let compared = 0;
  for (let at = 0; at < COMPARED; at++) {
    const line = random.chance(0.7) ? generateCommand(random).line : disguise(random.pick(deniedCommands), random);
    const expected = namesByOracle(line);
    const isJudged =
      expected !== undefined &&
      !line.includes("coproc") &&
      !analyzeCommand(line).doubts.includes("it is not well-formed");
    if (!isJudged) continue;
    compared++;
    const { commands } = analyzeCommand(line);
    const timed = namesOf(withTimed(commands));
    for (const name of expected) {
      if (isComparable(name) && !timed.has(name)) differences.push(`${name} is missing from ${JSON.stringify(line)}`);
    }
    // Of backticks in backticks the other one leaves out what their backslashes hide, which shells run.
    for (const name of line.includes("\\`") ? [] : namesOf(commands))
      if (isComparable(name) && !expected.has(name)) differences.push(`${name} is too much in ${JSON.stringify(line)}`);
  }
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(COMPARED * 0.7);
}, 600_000);
