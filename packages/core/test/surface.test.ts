import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, test } from "vitest";

/** What an entry point promises. A name is added here on purpose, with an example that uses it, or the test fails. */
const surface = {
  "index.ts": {
    values: [
      "PawlError",
      "QueryEngine",
      "callInput",
      "changeSetting",
      "checkPermission",
      "createEngine",
      "estimateTokens",
      "inspectSettings",
      "modelAliases",
      "nearestName",
      "permissionJudge",
      "permissionModes",
      "query",
      "removeSetting",
      "repairMessages",
      "revokeTrust",
      "ruleText",
      "testPermissions",
      "tool",
      "trustedFolders",
      "version",
      "violations",
    ],
    types: [
      "ApiBlock",
      "ApiMessage",
      "AskTrust",
      "AskedQuestions",
      "CanUseTool",
      "CheckAnswer",
      "Classify",
      "Combined",
      "Command",
      "CommandContext",
      "CommandOutcome",
      "EngineConfig",
      "EngineOptions",
      "ErrorCode",
      "FolderConsent",
      "HostAnswer",
      "InspectOptions",
      "KnownApiBlock",
      "Model",
      "ModelEvent",
      "ModelRequest",
      "PermissionExplanation",
      "PermissionJudge",
      "PermissionMode",
      "PermissionQuestion",
      "PermissionUpdate",
      "QueryInput",
      "RuleTestReport",
      "SdkApiRetry",
      "SdkAssistant",
      "SdkInit",
      "SdkMessage",
      "SdkResult",
      "SdkStreamEvent",
      "SdkUser",
      "SettingScope",
      "SettingSource",
      "Settings",
      "SettingsReport",
      "Sourced",
      "Tool",
      "ToolContext",
      "ToolResult",
      "TrustAnswer",
      "TrustItem",
      "TrustQuestion",
    ],
  },
  "testing/index.ts": {
    values: [
      "fails",
      "functionModel",
      "heldClock",
      "memoryStore",
      "parseScenario",
      "says",
      "scenarioModel",
      "scriptedModel",
      "stalls",
      "tempWorkspace",
      "thinks",
      "uses",
    ],
    types: [
      "Answer",
      "Answering",
      "FunctionModelOptions",
      "HeldClock",
      "HeldClockOptions",
      "MemoryStore",
      "Model",
      "ModelEvent",
      "ModelFailure",
      "ModelRequest",
      "Scenario",
      "ScenarioBlock",
      "ScenarioFault",
      "ScenarioModel",
      "ScenarioModelOptions",
      "ScenarioReport",
      "ScenarioStep",
      "ScriptedAnswer",
      "ScriptedModel",
      "TempWorkspace",
    ],
  },
};

for (const [entry, names] of Object.entries(surface)) {
  test(`${entry} exports what it promises and nothing else`, () => {
    const path = fileURLToPath(new URL(`../src/${entry}`, import.meta.url));

    expect(exportsOf(readFileSync(path, "utf8"))).toEqual(names);
  });
}

test("a starred export, which would promise whatever a file happens to hold, is caught", () => {
  const source = `export { a, type B } from "./a.ts"; export type { C } from "./c.ts"; export * from "./d.ts"; export const e = 1;`;

  expect(exportsOf(source)).toEqual({ values: ["a", "e", "* from ./d.ts"].sort(), types: ["B", "C"] });
});

function exportsOf(text: string): { values: string[]; types: string[] } {
  const values: string[] = [];
  const types: string[] = [];
  for (const statement of ts.createSourceFile("entry.ts", text, ts.ScriptTarget.ES2023, true).statements) {
    if (ts.isExportDeclaration(statement)) {
      const { exportClause, isTypeOnly, moduleSpecifier } = statement;
      if (exportClause === undefined || ts.isNamespaceExport(exportClause)) {
        values.push(
          `* from ${moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : ""}`,
        );
        continue;
      }
      for (const element of exportClause.elements) {
        (isTypeOnly || element.isTypeOnly ? types : values).push(element.name.text);
      }
    } else if (isExported(statement)) {
      (isType(statement) ? types : values).push(...namesOf(statement));
    }
  }
  return { values: values.sort(), types: types.sort() };
}

const isExported = (node: ts.Node) =>
  ts.canHaveModifiers(node) &&
  ts.getModifiers(node)?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) === true;

const isType = (node: ts.Node) => ts.isTypeAliasDeclaration(node) || ts.isInterfaceDeclaration(node);

function namesOf(node: ts.Node): string[] {
  if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
  if (isNamed(node)) return [node.name?.text ?? "default"];
  return [`(${ts.SyntaxKind[node.kind]})`];
}

const isNamed = (
  node: ts.Node,
): node is ts.FunctionDeclaration | ts.ClassDeclaration | ts.TypeAliasDeclaration | ts.InterfaceDeclaration =>
  ts.isFunctionDeclaration(node) ||
  ts.isClassDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isInterfaceDeclaration(node);
