// The loop's state diagram, read off the code: which step goes round again for which reason, and which one ends the turn how.
// `node scripts/loop-diagram.mjs` writes it into docs/architecture.md; with `--check` it only says whether it is up to date.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import ts from "typescript";

const root = new URL("..", import.meta.url);
const page = new URL("docs/architecture.md", root);
const recoveryFiles = readdirSync(new URL("packages/core/src/query/recovery", root))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => `recovery/${name.slice(0, -".ts".length)}`);
const steps = {
  prepare: ["prepare"],
  decide: ["decide"],
  recover: recoveryFiles,
  finish: ["finish", "stop-hooks"],
  write_back: ["write-back"],
};
const marks = { begin: "<!-- loop diagram: begin -->", end: "<!-- loop diagram: end -->" };

const source = (file) => readFileSync(new URL(`packages/core/src/query/${file}.ts`, root), "utf8");

/** String literals that `property` has in a union type of transition.ts. */
function tagsOf(typeName, property) {
  const tags = new Set();
  const visit = (node, isInside) => {
    const inside = isInside || (ts.isTypeAliasDeclaration(node) && node.name.text === typeName);
    if (inside && ts.isPropertySignature(node) && node.name.getText() === property) collect(node.type, tags);
    ts.forEachChild(node, (child) => visit(child, inside));
  };
  visit(parse("transition"), false);
  return tags;
}

function collect(type, tags) {
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) tags.add(type.literal.text);
  else ts.forEachChild(type, (child) => collect(child, tags));
}

const parse = (file) => ts.createSourceFile(`${file}.ts`, source(file), ts.ScriptTarget.Latest, true);

/** The tags out of `known` that a file writes as the value of `property` (literals, and those a function in it returns). */
function written(file, property, known) {
  const found = new Set();
  const visit = (node) => {
    if (ts.isStringLiteral(node) && known.has(node.text) && isValueOf(node, property)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

function isValueOf(literal, property) {
  for (let node = literal.parent; node; node = node.parent) {
    if (ts.isPropertyAssignment(node)) return node.name.getText() === property;
    if (ts.isReturnStatement(node)) return true;
    if (ts.isBinaryExpression(node) || ts.isCaseClause(node) || ts.isLiteralTypeNode(node)) return false;
  }
  return false;
}

export function loopDiagram() {
  const transitions = tagsOf("Transition", "type");
  const terminals = tagsOf("Terminal", "reason");
  const lines = [
    "```mermaid",
    "stateDiagram-v2",
    "  [*] --> prepare",
    "  prepare --> stream: request",
    "  stream --> decide: answer or failure",
    "  decide --> write_back: tool uses",
    "  decide --> finish: the work is done",
    "  write_back --> finish: the output that was wanted is there",
    "  decide --> recover: something is wrong with the answer",
    "  decide --> prepare: pause_turn",
  ];
  for (const [state, files] of Object.entries(steps)) {
    const tagsIn = (property, known) => new Set(files.flatMap((file) => [...written(file, property, known)]));
    for (const tag of tagsIn("type", transitions)) lines.push(`  ${state} --> prepare: ${tag}`);
    for (const tag of tagsIn("reason", terminals)) lines.push(`  ${state} --> [*]: ${tag}`);
  }
  return [...lines, "```"].join("\n");
}

function withDiagram(text) {
  const [before, rest] = text.split(marks.begin);
  const after = rest?.split(marks.end)[1];
  if (after === undefined)
    throw new Error(`docs/architecture.md: the marks ${marks.begin} and ${marks.end} are missing`);
  return `${before}${marks.begin}\n${loopDiagram()}\n${marks.end}${after}`;
}

const text = readFileSync(page, "utf8");
const wanted = withDiagram(text);
if (process.argv.includes("--check")) {
  if (text !== wanted) {
    console.error("docs/architecture.md: the loop diagram is not the code's; run `node scripts/loop-diagram.mjs`");
    process.exit(1);
  }
} else {
  writeFileSync(page, wanted);
}
