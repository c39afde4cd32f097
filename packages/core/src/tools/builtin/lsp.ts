import { dirname, extname, resolve, sep } from "node:path";
import { PawlError } from "../../lib/error.ts";
import { onFirstCall } from "../../lib/on-first-call.ts";
import { defineTool } from "../define-tool.ts";
import type { Tool, ToolContext, ToolResult, Touch } from "../tool.ts";
import { LanguageServers } from "./lsp/language-servers.ts";
import type { LspLimits } from "./lsp/limits.ts";
import type { OpenDocument } from "./lsp/open-documents.ts";
import { askServer, type LspOperation, lspOperations, positionOperations } from "./lsp/operations.ts";
import { commandLine, knownServers, type LspServerConfig, languageOf } from "./lsp/server-config.ts";

const formatAnswer = onFirstCall(async () => (await import("./lsp/format-answer.ts")).formatAnswer);

export type LspSettings = {
  /** The user's own; they come before the known ones. */
  servers?: readonly LspServerConfig[];
  limits?: Partial<LspLimits>;
};

type Input = { operation: LspOperation; filePath: string; line?: number; character?: number; query?: string };

export function createLspTool({ servers: own = [], limits }: LspSettings = {}): Tool<Input> {
  const servers = new LanguageServers([...own, ...knownServers], limits);

  /** What would be started for the first time in this session is a program like any other. */
  function touches({ filePath }: Input): readonly Touch[] {
    const config = servers.configFor(filePath);
    const start: Touch[] =
      config !== undefined && servers.startsFirst(config) ? [{ type: "command", command: commandLine(config) }] : [];
    return [...start, { type: "read", path: filePath }];
  }

  async function run(input: Input, context: ToolContext): Promise<ToolResult> {
    const { operation, query = "" } = input;
    const { files, signal, cwd } = context;
    const path = resolve(cwd, input.filePath);
    const config = servers.configFor(path);
    if (config === undefined) throw noServer(path, own);
    const server = await servers.of(config, rootOf(path, context.roots), context);
    const answer = await server.use(async (running) => {
      const document = await running.documents.sync(path, languageOf(path, config), files, signal);
      const at = positionIn(document, input);
      const asking = { server, running, document, limits: servers.limits, signal };
      return askServer({ operation, query, ...at }, asking);
    }, signal);
    const { text, ...counts } = await formatAnswer(operation, answer, path, context);
    return { content: text, structured: { operation, result: text, filePath: path, ...counts } };
  }

  const tool = defineTool({
    name: "LSP",
    description: `Asks a language server about code: it knows types, scopes and imports where a search knows words.

- goToDefinition, goToTypeDefinition, goToImplementation, findReferences, hover, incomingCalls and outgoingCalls are about the name at line and character, as an editor shows them: from 1.
- diagnostics gives what is wrong with a file, documentSymbol its outline, workspaceSymbol the names in the project that fit the query.
- The file is read from disk each time. It needs a server for the file's language on this machine.`,
    inputSchema: {
      type: "object",
      properties: {
        operation: { type: "string", enum: lspOperations, description: "What to ask." },
        filePath: { type: "string", description: "The file. For workspaceSymbol any file of the language." },
        line: { type: "integer", minimum: 1, description: "From 1." },
        character: { type: "integer", minimum: 1, description: "The column, from 1." },
        query: { type: "string", description: "For workspaceSymbol: part of the name." },
      },
      required: ["operation", "filePath"],
      additionalProperties: false,
    },
    maxResultChars: 50_000,
    isReadOnly: () => true,
    isConcurrencySafe: () => true,
    touches,
    run,
  });
  return { ...tool, parse: (input) => checked(tool.parse(input)) };
}

type Parsed = ReturnType<Tool<Input>["parse"]>;

/** What the schema cannot say. */
function checked(parsed: Parsed): Parsed {
  if (!parsed.ok) return parsed;
  const { operation, filePath, line, character } = parsed.input;
  const isOfPosition = (positionOperations as readonly string[]).includes(operation);
  const issues = [
    ...(filePath === "" || filePath.includes("\0") ? ["The parameter `filePath` is no path"] : []),
    ...(isOfPosition && line === undefined
      ? [`The required parameter \`line\` is missing: ${operation} is about a position`]
      : []),
    ...(isOfPosition && character === undefined
      ? [`The required parameter \`character\` is missing: ${operation} is about a position`]
      : []),
  ];
  return issues.length === 0 ? parsed : { ok: false, issues };
}

/** The position from 0. @throws PawlError `lsp` for one that is not in the file. */
function positionIn({ text }: OpenDocument, { line = 1, character = 1 }: Input) {
  const lines = text.split(/\r\n|\r|\n/);
  const at = lines[line - 1];
  if (at === undefined) throw new PawlError("lsp", `The file has ${lines.length} lines: there is no line ${line}.`);
  if (character > at.length + 1)
    throw new PawlError("lsp", `Line ${line} has ${at.length} characters: there is no character ${character}.`);
  return { line: line - 1, character: character - 1 };
}

/** The working directory that holds the file: its server sees that one. */
function rootOf(path: string, roots: readonly string[]): string {
  const holding = roots.filter((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
  return holding.sort((a, b) => b.length - a.length)[0] ?? dirname(path);
}

function noServer(path: string, own: readonly LspServerConfig[]): PawlError {
  const known = [...own, ...knownServers].flatMap(({ languages }) => Object.keys(languages)).join(" ");
  const ending = extname(path);
  const what = ending === "" ? "files without an ending" : `files that end in ${ending}`;
  return new PawlError(
    "lsp",
    `No language server is set for ${what}; there are some for ${known}. The user can name one in the setting lspServers.`,
  );
}
