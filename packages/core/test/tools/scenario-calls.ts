import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";

/** The tools that the scenarios of a folder have called: as their code says it, with how often. */
export function scenarioCalls(folder: URL): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith(".test.ts"))) {
    const source = ts.createSourceFile(name, readFileSync(new URL(name, folder), "utf8"), ts.ScriptTarget.Latest);
    ts.forEachChild(source, function visit(node): void {
      const tool = calledTool(node);
      if (tool !== undefined) counts.set(tool, (counts.get(tool) ?? 0) + 1);
      ts.forEachChild(node, visit);
    });
  }
  return counts;
}

/** Of `uses("Name", …)`, or of a call that is written as a pair: `["Name", { … }]`. */
function calledTool(node: ts.Node): string | undefined {
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "uses")
    return textOf(node.arguments[0]);
  if (!ts.isArrayLiteralExpression(node)) return undefined;
  const [name, input] = node.elements;
  return input !== undefined && ts.isObjectLiteralExpression(input) ? textOf(name) : undefined;
}

const textOf = (node: ts.Expression | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteral(node) ? node.text : undefined;
