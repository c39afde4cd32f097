import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type TestContext, testContext } from "../../../test/support/file-tool-context.ts";
import { isAlive } from "../../../test/support/is-alive.ts";
import { type LocalShell, localShell } from "../../shell/run.ts";
import type { ToolContext } from "../tool.ts";
import type { LspLimits } from "./lsp/limits.ts";
import { createLspTool } from "./lsp.ts";

const bin = fileURLToPath(new URL("../../../../../node_modules/.bin", import.meta.url));
const fakeServer = fileURLToPath(new URL("../../../test/support/language-server.mjs", import.meta.url));

let shell: LocalShell;
let context: TestContext;
beforeEach(async () => {
  shell = localShell({ env: { ...process.env, PATH: `${bin}:${process.env["PATH"]}` } });
  context = await testContext({ shell });
});
afterEach(async () => {
  await shell.close();
  await context.dispose();
});

type Tool = ReturnType<typeof createLspTool>;
type Input = Parameters<Tool["run"]>[0];
const ask = async (tool: Tool, input: Input, more: Partial<ToolContext> = {}) =>
  String((await tool.run(input, { ...context, ...more })).content);

describe("with typescript-language-server", () => {
  const files = {
    "tsconfig.json": '{"compilerOptions": {"strict": true, "lib": ["es2022"], "types": []}}',
    "shape.ts": "/** How big it is. */\nexport function area(side: number): number {\n  return side * side;\n}\n",
    "use.ts":
      'import { area } from "./shape.js";\n\nexport const total: string = area(3);\nexport class Box {\n  side = area(4);\n}\n',
  };
  const write = (name: string, text: string) => writeFile(join(context.cwd, name), text);
  const at = (operation: Input["operation"], line: number, character: number): Input => ({
    operation,
    filePath: "use.ts",
    line,
    character,
  });

  test("it answers about the files as they are on disk, in places that can be read", { timeout: 120_000 }, async () => {
    for (const [name, text] of Object.entries(files)) await write(name, text);
    const tool = createLspTool();

    expect(await ask(tool, at("goToDefinition", 3, 30))).toBe(
      "shape.ts:2:17 | export function area(side: number): number {",
    );
    expect((await ask(tool, at("findReferences", 1, 10))).split("\n").sort()).toEqual([
      "shape.ts:2:17 | export function area(side: number): number {",
      'use.ts:1:10 | import { area } from "./shape.js";',
      "use.ts:3:30 | export const total: string = area(3);",
      "use.ts:5:10 | side = area(4);",
    ]);
    expect(await ask(tool, at("hover", 3, 30))).toMatch(/area\(side: number\): number.+How big it is\./s);
    expect(await ask(tool, { operation: "documentSymbol", filePath: "use.ts" })).toBe(
      "use.ts:\n4:14 class Box\n  5:3 property side\n3:14 constant total",
    );
    expect(await ask(tool, { operation: "workspaceSymbol", filePath: "use.ts", query: "area" })).toMatch(
      /^shape\.ts:2:\d+ function area/,
    );
    expect(await ask(tool, { ...at("incomingCalls", 2, 17), filePath: "shape.ts" })).toMatch(
      /^use\.ts:1:1 module use\.ts, calls at 3:30(, 5:10)? /m,
    );
    expect(await ask(tool, { operation: "diagnostics", filePath: "use.ts" })).toBe(
      "use.ts:3:14 error [typescript 2322]: Type 'number' is not assignable to type 'string'.",
    );

    // The file asked about is open already; the other one is too, and changes under the server's feet.
    await write("use.ts", files["use.ts"].replace("total: string", "total: number"));
    expect(await ask(tool, { operation: "diagnostics", filePath: "use.ts" })).toBe(
      "The server finds nothing wrong with this file.",
    );
    await write("shape.ts", files["shape.ts"].replace(/number \{.+\}/s, 'string {\n  return "";\n}'));
    expect(await ask(tool, { operation: "diagnostics", filePath: "use.ts" })).toContain("error [typescript 2322]");
    const decided: string[] = [];
    const readAccess: ToolContext["readAccess"] = {
      async decide(path) {
        decided.push(path);
        return "deny";
      },
      below: async () => undefined,
    };
    const hidden = await ask(tool, at("goToDefinition", 3, 30), { readAccess });
    expect(decided).toEqual([join(context.cwd, "shape.ts")]);
    expect(hidden).toBe("The server finds nothing.\nLeft out: 1 in files that the rules keep from being read.");

    await rm(join(context.cwd, "shape.ts"));
    expect(await ask(tool, at("hover", 4, 14))).toContain("class Box");
  });
});

describe("with a server that", () => {
  let log: string;
  beforeEach(async () => {
    log = join(context.cwd, "server.log");
    await writeFile(join(context.cwd, "a.fake"), "one\ntwo\n");
  });
  const logged = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  const short: Partial<LspLimits> = { start: 10_000 };
  const toolFor = (behaviour: string, limits: Partial<LspLimits> = short) =>
    createLspTool({
      servers: [
        { name: "fake", command: process.execPath, args: [fakeServer, behaviour, log], languages: { ".fake": "fake" } },
      ],
      limits,
    });
  const hover: Input = { operation: "hover", filePath: "a.fake", line: 2, character: 1 };
  const told = (tool: Tool, more: Partial<ToolContext> = {}) =>
    ask(tool, hover, more).catch((error: Error) => error.message);

  test("is fine: it is started once, told of changes only, and ended when nobody asks", async () => {
    const tool = toolFor("fine", { ...short, idle: 300 });
    const answers = await Promise.all([told(tool), told(tool), told(tool)]);
    await writeFile(join(context.cwd, "a.fake"), "one\ntwo\nthree\n");
    answers.push(await told(tool));

    expect(answers).toEqual(Array(4).fill("textDocument/hover 1"));
    await expect.poll(logged, { timeout: 10_000 }).toContain("shutdown");
    expect((await logged()).filter((line) => /^(start|textDocument\/did)/.test(line))).toEqual([
      expect.stringMatching(/^start/),
      "textDocument/didOpen 1",
      "textDocument/didChange 2",
      "textDocument/didSave ",
    ]);
    expect(await told(tool)).toBe("textDocument/hover 1");
    expect((await logged()).filter((line) => line.startsWith("start"))).toHaveLength(2);
  });

  test.each<[string, RegExp]>([
    ["crashes at start", /ended while it began.*no licence/s],
    ["hangs", /no answer to textDocument\/hover within 0\.5 s and was ended/],
  ])("%s: says so, is started again, and after three times left alone", async (behaviour, why) => {
    const tool = toolFor(behaviour, { start: 10_000, request: 500 });
    const answers = [await told(tool), await told(tool), await told(tool), await told(tool)];

    expect(answers.slice(0, 3)).toEqual(Array(3).fill(expect.stringMatching(why)));
    expect(answers[3]).toMatch(/^The language server fake .+ has crashed 3 times in 10 minutes and is left alone/);
    expect((await logged()).filter((line) => line.startsWith("start"))).toHaveLength(3);
  });

  test.each<[string, RegExp]>([
    ["crashes on a question", /ended in the middle of it \(exit code 1\).*panic: oh no/s],
    ["sends garbage", /ended in the middle of it/],
    ["sends binary", /ended in the middle of it/],
    ["sends no JSON", /ended in the middle of it/],
    ["sends an array", /ended in the middle of it/],
    ["sends a huge message", /ended in the middle of it/],
    ["sends an endless header", /ended in the middle of it/],
  ])("%s: is ended, and says so", async (behaviour, why) => {
    expect(await told(toolFor(behaviour))).toMatch(why);
  });

  test("never begins: it is ended when its time is over", async () => {
    expect(await told(toolFor("never begins", { start: 700 }))).toMatch(/did not begin within 0\.7 s/);
  });

  test("refuses: its words are told, and it goes on", async () => {
    const tool = toolFor("refuses");
    expect([await told(tool), await told(tool)]).toEqual(Array(2).fill(expect.stringContaining("not now")));
    expect((await logged()).filter((line) => line.startsWith("start"))).toHaveLength(1);
  });

  test("gives nonsense: what has no form is passed over", async () => {
    const tool = toolFor("gives nonsense", { start: 10_000, diagnostics: 300 });
    expect(await ask(tool, { ...hover, operation: "findReferences" })).toBe("/a:1:1");
    expect(await ask(tool, { ...hover, operation: "diagnostics" }).catch(String)).toContain("not said anything");
    expect(await told(tool)).toContain("says nothing");
  });

  test("is deaf: a cancelled call ends at once, and the session's end leaves nothing alive", async () => {
    const tool = toolFor("deaf", { start: 10_000, request: 60_000 });
    const controller = new AbortController();
    const answer = told(tool, { signal: controller.signal });
    await expect.poll(logged, { timeout: 10_000 }).toContain("textDocument/hover");
    const startedAt = performance.now();
    controller.abort();
    expect(await answer).toContain("was cancelled");
    await shell.close();

    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const pids = (await logged()).flatMap((line) => /^(?:start|child) (\d+)$/.exec(line)?.[1] ?? []).map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await told(tool)).toContain("The session is ending");
  });
});

test("the first call about a language starts a program, which is asked about; later ones only read", async () => {
  await writeFile(join(context.cwd, "a.fake"), "one\n");
  const servers = [{ name: "fake", command: "/nowhere/fake", args: ["--x"], languages: { ".fake": "fake" } }];
  const tool = createLspTool({ servers });
  const input: Input = { operation: "documentSymbol", filePath: "a.fake" };
  const read = { type: "read", path: "a.fake" };

  expect(tool.touches(input)).toEqual([{ type: "command", command: "/nowhere/fake --x" }, read]);
  await expect(ask(tool, input)).rejects.toThrow("cannot be started: The program /nowhere/fake was not found.");
  expect(tool.touches(input)).toEqual([read]);
});

test.each<[Input, RegExp]>([
  [
    { operation: "documentSymbol", filePath: "a.xyz" },
    /No language server is set for files that end in \.xyz.*lspServers/s,
  ],
  [{ operation: "documentSymbol", filePath: "Makefile" }, /for files without an ending/],
  [{ operation: "documentSymbol", filePath: "gone.fake" }, /gone\.fake/],
  [{ operation: "hover", filePath: "a.fake", line: 9, character: 1 }, /has 2 lines: there is no line 9/],
  [{ operation: "hover", filePath: "a.fake", line: 1, character: 9 }, /Line 1 has 3 characters/],
])("%j fails in words", async (input, why) => {
  await writeFile(join(context.cwd, "a.fake"), "one\n");
  const servers = [{ name: "fake", command: process.execPath, args: [fakeServer], languages: { ".fake": "fake" } }];
  await expect(ask(createLspTool({ servers }), input)).rejects.toThrow(why);
});

test.each<[object, RegExp]>([
  [{ operation: "rename", filePath: "a.ts" }, /`operation` must be one of/],
  [{ operation: "hover", filePath: "a.ts" }, /`line` is missing.+`character` is missing/s],
  [{ operation: "hover", filePath: "", line: 1, character: 1 }, /`filePath` is no path/],
  [{ operation: "hover", filePath: "a.ts", line: 0, character: 1 }, /`line` must be at least 1/],
])("the input %j is refused", (input, why) => {
  const parsed = createLspTool().parse(input);
  expect(parsed.ok ? "" : parsed.issues.join("\n")).toMatch(why);
});
