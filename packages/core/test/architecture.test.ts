import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import {
  builtinsOutOfPlace,
  cycles,
  eagerPackages,
  mayImport,
  reachesIntoCore,
  undeclaredPackages,
  vendorsOutOfPlace,
  worldlyFiles,
  wrongDirections,
} from "./architecture/rules.ts";
import { parseSource, readSources } from "./architecture/source-file.ts";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const manifest: Record<"dependencies" | "optionalDependencies" | "exports", Record<string, unknown>> = JSON.parse(
  readFileSync(pathOf("../package.json"), "utf8"),
);
const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
const entryPoints = Object.keys(manifest.exports).map((name) => name.replace(/^\./, "@pawl/core"));

const core = readSources(pathOf("../src"));
const cli = readSources(pathOf("../../cli/src"));

describe("the tree holds to the architecture", () => {
  test("every folder imports only what its row of the table lists", () => expect(wrongDirections(core)).toEqual([]));
  test("no file imports itself by way of others", () => expect([...cycles(core), ...cycles(cli)]).toEqual([]));
  test("files and processes are reached in their own folders only", () => expect(builtinsOutOfPlace(core)).toEqual([]));
  test("a vendor's package is known in one place", () => expect(vendorsOutOfPlace(core)).toEqual([]));
  test("loading the engine loads no costly package", () => expect(eagerPackages(core)).toEqual([]));
  test("a package that is loaded is a dependency", () => expect(undeclaredPackages(core, dependencies)).toEqual([]));
  test("the deterministic folders read no clock, chance or environment", () => expect(worldlyFiles(core)).toEqual([]));
  test("the command line uses the engine's entry points only", () =>
    expect(reachesIntoCore(cli, entryPoints)).toEqual([]));
});

describe("the rules catch what breaks them", () => {
  const source = (path: string, text: string) => parseSource(path, text);

  test("an upward import: static, type-only, inline type, dynamic, re-export", () => {
    const files = [
      source("files/a.ts", `import { query } from "../query/query.ts";`),
      source("files/b.ts", `import type { Tool } from "../tools/tool.ts";`),
      source("files/c.ts", `export const engine = (x: import("../engine/result.ts").Result) => x;`),
      source("files/d.ts", `export const load = () => import("../shell/run.ts");`),
      source("files/e.ts", `export { decide } from "../permissions/decide.ts";`),
      source("files/f.ts", `import { backoff } from "../lib/backoff.ts"; import { g } from "./g.ts";`),
    ];

    expect(wrongDirections(files)).toEqual([
      "files/a.ts → query/query.ts",
      "files/b.ts → tools/tool.ts",
      "files/c.ts → engine/result.ts",
      "files/d.ts → shell/run.ts",
      "files/e.ts → permissions/decide.ts",
    ]);
  });

  test("the assembly imported by a folder, the entry point by anyone, and a path out of the package", () => {
    const files = [
      source("index.ts", `export { createEngine } from "./assemble.ts";`),
      source("assemble.ts", `import { query } from "./query/query.ts"; import { x } from "./index.ts";`),
      source("engine/fork.ts", `import { createEngine } from "../assemble.ts";`),
      source("engine/a.ts", `import { PawlError } from "../index.ts"; import { y } from "../../../cli/src/flags.ts";`),
      source("engine/b.ts", `import { transcripts } from "../../test/support/transcripts.ts";`),
      source("engine/b.test.ts", `import { transcripts } from "../../test/support/transcripts.ts";`),
    ];

    expect(wrongDirections(files)).toEqual([
      "assemble.ts → index.ts",
      "engine/fork.ts → assemble.ts",
      "engine/a.ts → index.ts",
      "engine/a.ts → ../../cli/src/flags.ts",
      "engine/b.ts → ../test/support/transcripts.ts",
    ]);
  });

  test("a folder that the table does not know", () => {
    const files = [source("utils/a.ts", `import { b } from "./b.ts"; import { c } from "../lib/c.ts";`)];

    expect(wrongDirections(files)).toEqual(["utils/a.ts → utils/b.ts", "utils/a.ts → lib/c.ts"]);
  });

  test("a row that names a row below it, which would let a cycle be written down", () => {
    const names = Object.keys(mayImport);
    const upward = Object.entries(mayImport).flatMap(([folder, row]) =>
      row.filter((target) => names.indexOf(target) >= names.indexOf(folder)),
    );

    expect(upward).toEqual([]);
  });

  test("a cycle of types between files of one folder", () => {
    const files = [
      source("tools/a.ts", `import type { B } from "./b.ts";`),
      source("tools/b.ts", `import { c } from "./builtin/c.ts";`),
      source("tools/builtin/c.ts", `import type { A } from "../a.ts"; import { d } from "./d.ts";`),
      source("tools/builtin/d.ts", ""),
    ];

    expect(cycles(files)).toEqual(["tools/a.ts → tools/b.ts → tools/builtin/c.ts → tools/a.ts"]);
  });

  test("the file system and child processes outside their folders, but not in a test", () => {
    const files = [
      source("engine/a.ts", `import { readFile } from "node:fs/promises";`),
      source("tools/b.ts", `import { spawn } from "child_process"; import { join } from "node:path";`),
      source("files/c.ts", `import { readFileSync } from "node:fs";`),
      source("shell/d.ts", `import { spawn } from "node:child_process";`),
      source("engine/e.test.ts", `import { mkdtemp } from "node:fs/promises";`),
    ];

    expect(builtinsOutOfPlace(files)).toEqual(["engine/a.ts → node:fs/promises", "tools/b.ts → child_process"]);
  });

  test("a vendor's package outside its adapter", () => {
    const files = [
      source("engine/a.ts", `import type { LanguageModelV3 } from "@ai-sdk/provider";`),
      source("models/ai-sdk/b.ts", `import type { LanguageModelV3 } from "@ai-sdk/provider";`),
      source("tools/c.ts", `const client = () => import("@modelcontextprotocol/client");`),
    ];

    expect(vendorsOutOfPlace(files)).toEqual([
      "engine/a.ts → @ai-sdk/provider",
      "tools/c.ts → @modelcontextprotocol/client",
    ]);
  });

  test("a costly package that the entry point would load, straight or through others", () => {
    const files = [
      source("index.ts", `export { a } from "./tools/a.ts"; import type { B } from "./tools/b.ts";`),
      source(
        "tools/a.ts",
        `import { c } from "./c.ts"; import type { ZodType } from "zod"; const d = import("./d.ts");`,
      ),
      source("tools/b.ts", `import { parse } from "yaml";`),
      source("tools/c.ts", `import { type ZodType, z } from "zod/v4";`),
      source("tools/d.ts", `import { createPatch } from "diff";`),
    ];

    expect(eagerPackages(files)).toEqual(["tools/c.ts → zod/v4"]);
  });

  test("a package that is no dependency, also behind a computed import", () => {
    const files = [
      source("lib/a.ts", `import pad from "left-pad"; import { join } from "node:path"; import { parse } from "yaml";`),
      source("lib/b.ts", `export const load = (name: string) => import(name);`),
    ];

    expect(undeclaredPackages(files, ["yaml"])).toEqual(["lib/a.ts → left-pad", "lib/b.ts → (computed)"]);
  });

  test("clock, chance and environment in a deterministic folder; words in comments and strings are not reads", () => {
    const files = [
      source("query/a.ts", `export const now = () => Date.now() + Math.random();`),
      source("history/b.ts", `import { randomUUID } from "node:crypto"; export const id = randomUUID();`),
      source("prompt/c.ts", `export const home = process.env["HOME"]; export const today = new Date();`),
      source(
        "messages/d.ts",
        `// Date.now is not used\nexport const text = "process.env"; export const at = new Date(0);`,
      ),
      source("models/e.ts", `export const now = Date.now;`),
    ];

    expect(worldlyFiles(files)).toEqual([
      "query/a.ts: Date.now",
      "query/a.ts: Math.random",
      "history/b.ts: randomUUID",
      "prompt/c.ts: new Date()",
      "prompt/c.ts: process.env",
    ]);
  });

  test("a front end that reaches past the entry points", () => {
    const files = [
      source("main.ts", `import { query } from "@pawl/core"; import { flags } from "./flags.ts";`),
      source("print/a.ts", `import { queryLoop } from "@pawl/core/dist/query.js";`),
      source("run.ts", `import manifest from "../package.json" with { type: "json" };`),
      source("print/b.ts", `import { queryLoop } from "../../../core/src/query/loop.ts";`),
    ];

    expect(reachesIntoCore(files, ["@pawl/core", "@pawl/core/testing"])).toEqual([
      "print/a.ts → @pawl/core/dist/query.js",
      "print/b.ts → ../../core/src/query/loop.ts",
    ]);
  });
});
