import { extname } from "node:path";

/** How a language server is started, and for which files. */
export type LspServerConfig = {
  name: string;
  /** A program on the search path, or an absolute path. */
  command: string;
  args: readonly string[];
  /** File ending with its dot → the language's id of the protocol. */
  languages: Readonly<Record<string, string>>;
  env?: Readonly<Record<string, string>>;
  /** Given to the server when it begins. */
  initializationOptions?: unknown;
  /** What it gets when it asks for its configuration, by section. */
  settings?: unknown;
  /** What it may take to begin. Milliseconds. */
  startTimeoutMs?: number;
};

const javascript = {
  ".ts": "typescript",
  ".mts": "typescript",
  ".cts": "typescript",
  ".tsx": "typescriptreact",
  ".js": "javascript",
  ".mjs": "javascript",
  ".cjs": "javascript",
  ".jsx": "javascriptreact",
};
const c = {
  ".c": "c",
  ".h": "c",
  ".cc": "cpp",
  ".cpp": "cpp",
  ".cxx": "cpp",
  ".hh": "cpp",
  ".hpp": "cpp",
  ".hxx": "cpp",
};

/** Used for their files where they are installed and the settings name no other. */
export const knownServers: readonly LspServerConfig[] = [
  {
    name: "typescript",
    command: "typescript-language-server",
    args: ["--stdio"],
    languages: javascript,
    // The second server answers at once and half; and nothing is to be downloaded.
    initializationOptions: { tsserver: { useSyntaxServer: "never" }, disableAutomaticTypingAcquisition: true },
  },
  {
    name: "python",
    command: "pyright-langserver",
    args: ["--stdio"],
    languages: { ".py": "python", ".pyi": "python" },
  },
  { name: "go", command: "gopls", args: [], languages: { ".go": "go", ".mod": "go.mod" } },
  { name: "rust", command: "rust-analyzer", args: [], languages: { ".rs": "rust" } },
  { name: "clangd", command: "clangd", args: [], languages: c },
];

/** The first that takes the file; the user's own stand in front of the known ones. */
export function serverFor(path: string, servers: readonly LspServerConfig[]): LspServerConfig | undefined {
  const ending = extname(path).toLowerCase();
  return servers.find(({ languages }) => Object.hasOwn(languages, ending));
}

export const languageOf = (path: string, { languages }: LspServerConfig): string =>
  languages[extname(path).toLowerCase()] ?? "plaintext";

export const commandLine = ({ command, args }: LspServerConfig): string => [command, ...args].join(" ");
