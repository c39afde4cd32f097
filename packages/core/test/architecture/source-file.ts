import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import ts from "typescript";

/** What the rules look at in one file. Paths are relative to the package's `src`, with forward slashes. */
export type SourceFile = {
  path: string;
  isTest: boolean;
  imports: readonly Import[];
  /** Names as they are read: `Date.now`, `process.env`, `new Date()`. */
  reads: ReadonlySet<string>;
};
export type Import = {
  /** A path relative to `src` (`../` when it leaves it) or the specifier of a package. */
  to: string;
  kind: "relative" | "package";
  isTypeOnly: boolean;
  isDynamic: boolean;
  names: readonly string[];
};

/** Reads every TypeScript file under `folder`. */
export function readSources(folder: string): SourceFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => parseSource(relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")));
}

/** Reads one file's imports (static, dynamic, type-only, re-exports) and the globals it uses, with TypeScript's own parser. */
export function parseSource(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const reads = new Set<string>();
  const visit = (node: ts.Node): void => {
    const found = importOf(node);
    if (found !== undefined) imports.push(resolved(path, found));
    const read = readOf(node);
    if (read !== undefined) reads.add(read);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true));
  return { path, isTest: path.endsWith(".test.ts"), imports, reads };
}

type Found = Omit<Import, "to" | "kind"> & { specifier: string };

function importOf(node: ts.Node): Found | undefined {
  if (ts.isImportDeclaration(node)) {
    const clause = node.importClause;
    return found(node.moduleSpecifier, {
      isTypeOnly: clause !== undefined && isTypeOnly(clause),
      names: namesOf(clause?.namedBindings),
    });
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier !== undefined) {
    return found(node.moduleSpecifier, { isTypeOnly: node.isTypeOnly });
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return found(node.argument.literal, { isTypeOnly: true });
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return found(node.arguments[0], { isDynamic: true });
  }
  return undefined;
}

function found(specifier: ts.Node | undefined, about: Partial<Found>): Found {
  // A computed specifier would hide an import from every rule.
  const text = specifier !== undefined && ts.isStringLiteralLike(specifier) ? specifier.text : "(computed)";
  return { specifier: text, isTypeOnly: false, isDynamic: false, names: [], ...about };
}

const namesOf = (bindings: ts.NamedImportBindings | undefined): string[] =>
  bindings !== undefined && ts.isNamedImports(bindings)
    ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
    : [];

function isTypeOnly(clause: ts.ImportClause): boolean {
  const { name, namedBindings } = clause;
  if (clause.isTypeOnly) return true;
  if (name !== undefined || namedBindings === undefined || !ts.isNamedImports(namedBindings)) return false;
  return namedBindings.elements.length > 0 && namedBindings.elements.every((element) => element.isTypeOnly);
}

function resolved(from: string, { specifier, ...about }: Found): Import {
  if (!specifier.startsWith(".")) return { to: specifier, kind: "package", ...about };
  return { to: posix.normalize(posix.join(dirname(from), specifier)), kind: "relative", ...about };
}

function readOf(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression)) {
    return `${node.expression.text}.${node.name.text}`;
  }
  if (ts.isNewExpression(node) && ts.isIdentifier(node.expression) && node.arguments?.length === 0) {
    return `new ${node.expression.text}()`;
  }
  return undefined;
}
