import { builtinModules } from "node:module";
import type { Import, SourceFile } from "./source-file.ts";

/** The whole policy: a folder imports its own files and what its row lists. Each row names only rows above it. */
export const mayImport = {
  lib: [],
  messages: ["lib"],
  files: ["lib"],
  settings: ["lib", "files"],
  shell: ["lib"],
  trust: ["lib", "files", "settings", "shell"],
  history: ["lib", "messages"],
  models: ["lib", "messages"],
  permissions: ["lib", "messages", "files", "settings", "shell"],
  hooks: ["lib", "messages", "files", "settings", "shell", "permissions"],
  tools: ["lib", "messages", "files", "shell", "permissions", "hooks"],
  transcript: ["lib", "messages", "files", "history"],
  memory: ["lib", "messages", "settings", "files"],
  prompt: ["lib", "messages", "settings", "shell", "memory"],
  compaction: ["lib", "messages", "history", "models", "memory"],
  query: ["lib", "messages", "history", "models", "hooks", "tools", "compaction"],
  engine: [
    ...["lib", "messages", "files", "settings", "shell", "trust", "history", "models", "permissions", "hooks", "tools"],
    ...["transcript", "memory", "prompt", "compaction", "query"],
  ],
  agents: ["lib", "messages", "files", "settings", "shell", "permissions", "hooks", "tools", "transcript", "engine"],
  extensions: ["lib", "messages", "files", "settings", "shell", "permissions", "hooks", "tools", "engine", "agents"],
  mcp: ["lib", "messages", "files", "settings", "shell", "permissions", "hooks", "tools", "engine"],
  telemetry: ["lib", "messages", "models", "tools", "query"],
  testing: ["lib", "messages", "files", "history", "models", "tools", "transcript", "query", "engine"],
} as const satisfies Record<string, readonly string[]>;

const rows: Readonly<Record<string, readonly string[] | undefined>> = mayImport;
const entryPoint = "index.ts";
const assembly = "assemble.ts";

/** `models` for `models/scripted/scenario.ts`; the file itself when it stands in no folder. */
const folderOf = (path: string) => path.split("/")[0] ?? path;
const arrow = (file: SourceFile, { to }: Import) => `${file.path} → ${to}`;
const each = (files: readonly SourceFile[], isWrong: (file: SourceFile, imported: Import) => boolean) =>
  files.flatMap((file) => file.imports.filter((i) => isWrong(file, i)).map((i) => arrow(file, i)));

/** Imports against the table. A test may use the test kit and what stands in `test/support` besides. */
export function wrongDirections(files: readonly SourceFile[]): string[] {
  return each(files, (file, { kind, to }) => kind === "relative" && !isAllowed(file, to));
}

function isAllowed({ path, isTest }: SourceFile, to: string): boolean {
  if (to.startsWith("../")) return isTest && to.startsWith("../test/support/");
  const from = folderOf(path);
  if (from === path) return isTest || path === entryPoint || (path === assembly && to !== entryPoint);
  const target = folderOf(to);
  if (from === target || (isTest && target === "testing")) return rows[target] !== undefined;
  return rows[from]?.includes(target) ?? false;
}

/** Cycles between files, type-only imports included, each told once as the ring of its files. */
export function cycles(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      found.push([...trail.slice(trail.indexOf(path)), path].join(" → "));
      return;
    }
    state.set(path, "open");
    const targets = new Set(
      byPath
        .get(path)
        ?.imports.filter((i) => i.kind === "relative")
        .map((i) => i.to),
    );
    for (const to of targets) walk(to, [...trail, path]);
    state.set(path, "done");
  };
  for (const { path } of files) walk(path, []);
  return found;
}

/** A module of Node → where it may be imported, as path prefixes. What is not listed is free. */
const builtinHomes: Readonly<Record<string, readonly string[]>> = {
  fs: ["files/", "transcript/", "settings/", "memory/", "extensions/", "testing/", "shell/"],
  child_process: ["shell/", "mcp/client/"],
};

export function builtinsOutOfPlace(files: readonly SourceFile[]): string[] {
  return each(files, (file, imported) => {
    if (file.isTest || imported.kind !== "package") return false;
    const homes = builtinHomes[imported.to.replace(/^node:/, "").split("/")[0] ?? ""];
    return homes !== undefined && !homes.some((home) => file.path.startsWith(home));
  });
}

/** A vendor's package, by name or scope → the one place that knows it. */
const vendorHomes: readonly (readonly [vendor: RegExp, home: string])[] = [
  [/^@anthropic-ai\//, "models/anthropic/"],
  [/^(ai|@ai-sdk\/.*)$/, "models/ai-sdk/"],
  [/^@modelcontextprotocol\//, "mcp/"],
  [/^@opentelemetry\//, "telemetry/"],
];

export function vendorsOutOfPlace(files: readonly SourceFile[]): string[] {
  return each(files, (file, { kind, to }) => {
    const home = vendorHomes.find(([vendor]) => vendor.test(to))?.[1];
    return kind === "package" && home !== undefined && !file.path.startsWith(home);
  });
}

const lazyPackages = [
  ...["ajv", "croner", "diff", "iconv-lite", "ipaddr.js", "picomatch", "sharp", "turndown", "unpdf"],
  ...["vscode-jsonrpc", "ws", "yaml", "zod"],
];

/** Costly packages that loading the entry point would load: those reached without an `await import`. Every start would pay. */
export function eagerPackages(files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set([entryPoint]);
  const costly: string[] = [];
  for (const path of reached) {
    const file = byPath.get(path);
    for (const imported of file?.imports ?? []) {
      if (file === undefined || imported.isTypeOnly || imported.isDynamic) continue;
      if (imported.kind === "relative") reached.add(imported.to);
      else if (lazyPackages.includes(packageOf(imported.to))) costly.push(arrow(file, imported));
    }
  }
  return costly;
}

/** Packages that a user's installation would not have. Types alone are bundled into the declarations. */
export function undeclaredPackages(files: readonly SourceFile[], dependencies: readonly string[]): string[] {
  return each(files, (file, { kind, to, isTypeOnly }) => {
    if (file.isTest || kind !== "package" || isTypeOnly) return false;
    return !isBuiltin(to) && !dependencies.includes(packageOf(to));
  });
}

const isBuiltin = (specifier: string) => builtinModules.includes(specifier.replace(/^node:/, ""));
const packageOf = (specifier: string) =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

const deterministicFolders = ["messages", "history", "query", "compaction", "prompt"];
const worldlyReads = [
  ...["Date.now", "new Date()", "performance.now", "Math.random", "crypto.randomUUID", "process.env"],
  ...["crypto.getRandomValues", "globalThis.crypto"],
];
const worldlyNames = ["randomUUID", "randomBytes", "env", "performance"];

/** Clock, chance and environment in the folders whose answers must depend on their arguments alone. */
export function worldlyFiles(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => !file.isTest && deterministicFolders.includes(folderOf(file.path)))
    .flatMap((file) => {
      const reads = worldlyReads.filter((read) => file.reads.has(read));
      const names = file.imports.filter((i) => isBuiltin(i.to)).flatMap((i) => i.names);
      return [...reads, ...names.filter((name) => worldlyNames.includes(name))].map((what) => `${file.path}: ${what}`);
    });
}

/** A front end knows its own files and the entry points of the engine, nothing inside it. */
export function reachesIntoCore(files: readonly SourceFile[], entryPoints: readonly string[]): string[] {
  return each(files, (_, { kind, to }) =>
    kind === "relative"
      ? to.startsWith("../") && to !== "../package.json"
      : packageOf(to) === "@pawl/core" && !entryPoints.includes(to),
  );
}
