import { expect, test } from "vitest";
import { testContext } from "../../../test/support/file-tool-context.ts";
import type { DeferredTools } from "../tool.ts";
import { deferredList, toolSearchTool } from "./tool-search.ts";

const tools: DeferredTools["tools"] = [
  { name: "mcp__slack__send_message", description: "Posts to a place.", inputSchema: { properties: { channel: {} } } },
  { name: "mcp__slack__list_users", description: "Who is there.", inputSchema: {} },
  { name: "sendMail", description: "Sends a message by post.", inputSchema: {} },
  { name: "Größe", description: "Misst die Größe.", inputSchema: { properties: null } },
];

async function found(query: string, more: { max_results?: number; tools?: DeferredTools["tools"] } = {}) {
  const context = await testContext();
  const { tools: known = tools, ...input } = more;
  const loaded: string[] = [];
  const deferredTools: DeferredTools = { tools: known, load: async (names) => void loaded.push(...names) };
  const result = await toolSearchTool.run({ query, ...input }, { ...context, deferredTools });
  await context.dispose();
  return { ...result, loaded };
}

test.each([
  ["slack", ["mcp__slack__send_message", "mcp__slack__list_users"]],
  ["send", ["mcp__slack__send_message", "sendMail"]],
  ["mail send", ["sendMail", "mcp__slack__send_message"]],
  ["+slack send message", ["mcp__slack__send_message", "mcp__slack__list_users"]],
  ["+mail +slack", []],
  ["channel", ["mcp__slack__send_message"]],
  ["GRÖSSE größe", ["Größe"]],
  ["", []],
  ["+", []],
  ["(.*", []],
  ["select:sendmail, nobody ,mcp__slack__list_users,sendMail", ["sendMail", "mcp__slack__list_users"]],
  ["select:", []],
])("%j finds %j", async (query, names) => {
  const { loaded, structured } = await found(query);
  expect(loaded).toEqual(names);
  expect(structured).toEqual({ matches: names, query, total_deferred_tools: 4 });
});

test("words give five tools, or as many as were asked for", async () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `tool${at}`, description: "sea", inputSchema: {} }));
  expect((await found("sea", { tools: many })).loaded).toEqual(["tool0", "tool1", "tool2", "tool3", "tool4"]);
  expect((await found("sea", { tools: many, max_results: 7 })).loaded).toHaveLength(7);
});

test("what is not there is left out beside what is, and said alone", async () => {
  expect((await found("select:sendMail,Nobody")).content).toEqual([
    { type: "other", raw: { type: "tool_reference", tool_name: "sendMail" } },
  ]);
  expect((await found("select:Read")).content).toMatch(/^No matching deferred tools found/);
  expect((await found("zzz")).content).toMatch(/^No matching deferred tools found/);
  expect((await found("sea", { tools: [] })).content).toMatch(/^No matching deferred tools found: you know all/);
});

test("a hundred thousand words cost nothing", async () => {
  expect((await found("slack ".repeat(100_000))).loaded).toHaveLength(2);
});

test("of very many names the description has some, and says how many more there are", () => {
  const text = deferredList(Array.from({ length: 3_000 }, (_, at) => ({ name: `server__tool_${at}` })));
  expect(text.length).toBeLessThan(8_200);
  expect(text).toMatch(/\n… and \d{4} more, which words find\.$/);
});
