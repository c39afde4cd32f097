import { fileURLToPath } from "node:url";
import type { EngineOptions } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { oneTurn, type Place, place } from "./engine-harness.ts";

const server = fileURLToPath(new URL("../support/language-server.mjs", import.meta.url));
const hover = uses("LSP", { operation: "hover", filePath: "a.fake", line: 2, character: 1 });
const lspServers = {
  fake: { command: process.execPath, args: [server], extensionToLanguage: { ".FAKE": "fake" } },
};

async function asked(at: Place, more: EngineOptions = {}) {
  const model = scriptedModel([hover, hover, says("Done.")]);
  const { result } = await oneTurn({ ...at.options, model, ...more });
  const results = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages.at(-1)?.content));
  return { results, denials: result.permission_denials };
}

test("a language server of the user's settings answers, once its start is allowed", async () => {
  await using at = await place({ "a.fake": "one\ntwo\n" });
  await at.home.write("settings.json", JSON.stringify({ lspServers }));

  expect((await asked(at)).denials).toHaveLength(2);
  const { results, denials } = await asked(at, { allowedTools: ["LSP"] });
  expect(results).toEqual([
    expect.stringContaining("textDocument/hover 1"),
    expect.stringContaining("textDocument/hover 1"),
  ]);
  expect(denials).toEqual([]);
});

test("what is allowed once by the host is not asked about again in the session", async () => {
  await using at = await place({ "a.fake": "one\ntwo\n" });
  await at.home.write("settings.json", JSON.stringify({ lspServers }));
  const questions: string[] = [];
  const { results } = await asked(at, {
    canUseTool: async (name) => {
      questions.push(name);
      return { behavior: "allow" };
    },
  });
  expect(results).toEqual(Array(2).fill(expect.stringContaining("textDocument/hover 1")));
  expect(questions).toEqual(["LSP"]);
});

test("a language server of a folder that nobody trusts does not count", async () => {
  await using at = await place({ "a.fake": "one\n", ".pawl/settings.json": JSON.stringify({ lspServers }) });
  const { results } = await asked(at, { allowedTools: ["LSP"] });

  expect(results[0]).toContain("No language server is set for files that end in .fake");
});

test("a file that a rule keeps from being read is not shown to a server either", async () => {
  await using at = await place({ "a.fake": "one\ntwo\n" });
  await at.home.write("settings.json", JSON.stringify({ lspServers }));
  const { denials } = await asked(at, { allowedTools: ["LSP"], disallowedTools: ["Read(./a.fake)"] });

  expect(denials).toHaveLength(2);
});
