import { expect, test } from "vitest";
import { buildSystemPrompt } from "./build-system-prompt.ts";

const tools = ["Read", "Edit", "Write", "Bash", "Grep", "Glob", "TodoWrite"];
const systemContext = {};

test("the default sections stand in a fixed order, then memory, context and the appended prompt", () => {
  const prompt = buildSystemPrompt({
    tools,
    memoryMechanics: "MEMORY",
    appendPrompt: "APPENDED",
    systemContext: {
      gitStatus: "On branch main",
      mcpServers: [{ name: "db", instructions: "Ask it gently." }, { name: "web" }],
    },
  });
  expect(prompt.map((block) => block.split("\n")[0])).toEqual([
    expect.stringMatching(/^You are Pawl/),
    "# Doing tasks",
    "# Using tools",
    "# Care",
    "# Tone",
    "MEMORY",
    "# MCP servers",
    "APPENDED",
  ]);
  expect(prompt[6]).toBe(
    "# MCP servers\nTheir tools are named mcp__<server>__<tool>.\n\n## db\nAsk it gently.\n\n## web\n\n# Repository when the session started\nOn branch main",
  );
});

test("only tools that are offered are spoken of", () => {
  const mentioned = (offered: string[]) => {
    const text = buildSystemPrompt({ tools: offered, systemContext }).join("\n");
    return [...tools, "WebFetch"].filter((tool) => new RegExp(`\\b(?:use|Use|with) ${tool}\\b`).test(text));
  };
  expect(mentioned(tools)).toEqual(["Read", "Edit", "Write", "Bash", "Grep", "Glob", "TodoWrite"]);
  expect(mentioned(["Grep"])).toEqual(["Grep"]);
  expect(buildSystemPrompt({ tools: [], systemContext }).join("\n")).not.toContain("# Using tools");
});

test("the same input gives the same blocks, whatever the order of the tools", () => {
  expect(buildSystemPrompt({ tools, systemContext })).toEqual(
    buildSystemPrompt({ tools: tools.toReversed(), systemContext }),
  );
});

test("a custom prompt replaces the sections, and the appended one stays last", () => {
  expect(buildSystemPrompt({ customPrompt: "Speak French.", appendPrompt: "Be brief.", tools, systemContext })).toEqual(
    ["Speak French.", "Be brief."],
  );
});

test("an empty custom prompt means no system prompt, but what was appended is kept", () => {
  const context = { gitStatus: "On branch main" };
  expect(buildSystemPrompt({ customPrompt: "", tools, memoryMechanics: "M", systemContext: context })).toEqual([]);
  expect(buildSystemPrompt({ customPrompt: "", appendPrompt: "Be brief.", tools, systemContext: context })).toEqual([
    "Be brief.",
  ]);
});

test("no block is ever blank", () => {
  expect(buildSystemPrompt({ customPrompt: " \n", appendPrompt: "", tools, systemContext })).toEqual([]);
});
