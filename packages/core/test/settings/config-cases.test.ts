import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { localFiles } from "../../src/files/local-files.ts";
import { findInstructionFiles } from "../../src/memory/instruction-files.ts";
import { decidePermission } from "../../src/permissions/decide.ts";
import { permissionsFromSettings } from "../../src/permissions/from-settings.ts";
import { parseRule } from "../../src/permissions/rule.ts";
import type { RuleSet } from "../../src/permissions/rule-set.ts";
import { openSettings } from "../../src/settings/settings-store.ts";
import { mcpItems } from "../../src/trust/mcp-json.ts";

/** What is in use elsewhere, put where it was found. */
const cases = new URL("../cases/config/", import.meta.url);

let folder: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-config-")));
});
afterEach(() => rm(folder, { recursive: true }));

async function put(name: string, path: string): Promise<string> {
  const place = join(folder, path);
  await mkdir(dirname(place), { recursive: true });
  await cp(new URL(name, cases), place);
  return place;
}

async function loaded(name: string) {
  await put(name, "project/.claude/settings.json");
  const places = { cwd: join(folder, "project"), home: join(folder, "home"), configHome: join(folder, "home/.pawl") };
  const settings = (await openSettings({ ...places, policyFolders: [] })).current();
  return { settings, ...permissionsFromSettings(settings) };
}

/** What the rules alone say: nothing here only reads. */
async function decide(rules: RuleSet, tool: string, about: string) {
  const isCommand = tool === "Bash";
  const touches = isCommand
    ? [{ type: "command" as const, command: about }]
    : tool === "Edit"
      ? [{ type: "write" as const, path: about }]
      : [{ type: "other" as const }];
  const cwd = join(folder, "project");
  const place = { cwd, startCwd: cwd, directories: [cwd], home: folder, configHome: join(folder, ".pawl") };
  const context = { mode: "default" as const, rules, ...place, files: localFiles() };
  return (await decidePermission({ tool, input: {}, touches, isReadOnly: false }, context)).behavior;
}

test.each([
  ["ccusage.settings.json", "Bash", "pnpm test", "allow"],
  ["ccusage.settings.json", "Bash", "pnpm test --watch", "allow"],
  ["ccusage.settings.json", "Bash", "pnpm testx", "allow"], // no blank before the star: no end of the word
  ["ccusage.settings.json", "Bash", "pnpm run typecheck:all", "allow"],
  ["ccusage.settings.json", "Bash", "pnpm build", "ask"],
  ["ccusage.settings.json", "Bash", "pnpm test && rm x", "ask"],
  ["ccusage.settings.json", "mcp__sentry__issues", "", "allow"],
  ["ccusage.settings.json", "mcp__other__issues", "", "ask"],
  ["pydantic-ai.settings.json", "Bash", "gh pr view 3", "allow"],
  ["pydantic-ai.settings.json", "Bash", "gh pr view", "allow"],
  ["pydantic-ai.settings.json", "Bash", "gh pr viewer", "ask"],
  ["pydantic-ai.settings.json", "Bash", "gh pr merge 3", "ask"],
  ["pydantic-ai.settings.json", "Bash", "uv run pyright src", "allow"],
  ["pydantic-ai.settings.json", "Bash", "PYRIGHT_PYTHON_IGNORE_WARNINGS=1 uv run pyright src", "allow"],
  ["pydantic-ai.settings.json", "Bash", "PYRIGHT_PYTHON_IGNORE_WARNINGS=1 uv pip install x", "ask"],
  ["pydantic-ai.settings.json", "Bash", "make", "allow"],
  ["agent-sdk-python.settings.json", "Bash", "python -m pytest tests/", "allow"],
  ["agent-sdk-python.settings.json", "Bash", "python -m pytest tests/test_a.py -q", "allow"],
  ["agent-sdk-python.settings.json", "Bash", "python -m pytest other/", "ask"],
  ["agent-sdk-python.settings.json", "Bash", "python -m ruff check src/ tests/ scripts/ --fix", "allow"],
  ["agent-sdk-python.settings.json", "Bash", "python -m ruff check src/ tests/ scripts/ --fix --exit-zero", "ask"],
])("%s: %s(%s) is %s", async (name, tool, about, expected) => {
  const { rules } = await loaded(name);
  expect(await decide(rules, tool, about)).toBe(expected);
});

const settingsFiles = (await readdir(cases)).filter((name) => name.endsWith(".settings.json"));

test.each(settingsFiles)("%s: every rule is understood, and every key and hook kept as written", async (name) => {
  const { settings, rules, warnings } = await loaded(name);
  const written: { permissions?: { allow?: string[] }; hooks?: object } = JSON.parse(
    await readFile(new URL(name, cases), "utf8"),
  );
  expect([...settings.warnings, ...warnings]).toEqual([]);
  expect(rules.allow.map(({ text }) => text)).toEqual(written.permissions?.allow ?? []);
  expect(settings.other["hooks"]?.value).toEqual(written.hooks);
});

test("claude-code-viewer.settings.json: events that are not ours yet, a matcher and a quoted variable are kept", async () => {
  const { settings } = await loaded("claude-code-viewer.settings.json");
  expect(settings.other["hooks"]?.value).toMatchObject({
    CwdChanged: [{ hooks: [{ command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/on-cwd-changed.sh', timeout: 300 }] }],
    FileChanged: [{ matcher: "^\\.envrc$|^flake\\.nix$|^flake\\.lock$" }],
  });
});

test("ccusage.mcp.json: both servers are what the folder could reach, one address without a path", async () => {
  const place = await put("ccusage.mcp.json", "project/.mcp.json");
  expect(await mcpItems(dirname(place))).toEqual([
    {
      source: "mcpJson",
      place,
      key: "mcpServers.context7",
      value: { type: "http", url: "https://mcp.context7.com/mcp" },
    },
    { source: "mcpJson", place, key: "mcpServers.grep", value: { type: "http", url: "https://mcp.grep.app" } },
  ]);
});

test("gemini-extension.hooks.json: another product's variable is kept as it is written", async () => {
  const { settings } = await loaded("gemini-extension.hooks.json");
  expect(settings.warnings).toEqual([]);
  expect(settings.other["hooks"]?.value).toEqual({
    SessionStart: [{ hooks: [{ type: "command", command: `node \${extensionPath}/scripts/on-start.js` }] }],
  });
});

test("simonw.CLAUDE.md: all it has is an import, whose text follows it", async () => {
  await put("simonw.AGENTS.md", "project/AGENTS.md");
  const cwd = dirname(await put("simonw.CLAUDE.md", "project/CLAUDE.md"));
  const places = { cwd, home: join(folder, "home"), configHome: join(folder, "home/.pawl"), roots: [cwd] };
  const imported = await readFile(new URL("simonw.AGENTS.md", cases), "utf8");
  expect(await findInstructionFiles(places)).toEqual({
    files: [
      { path: join(cwd, "CLAUDE.md"), text: "@AGENTS.md" },
      { path: join(cwd, "AGENTS.md"), text: imported.trim() },
    ],
    warnings: [],
  });
});

/** The rules of a command file, as its first lines have them. */
async function rulesOfCommand(name: string): Promise<RuleSet> {
  const [, frontmatter = ""] = (await readFile(new URL(name, cases), "utf8")).split(/^---\n/m);
  const allowed: string = parse(frontmatter)["allowed-tools"];
  return { allow: allowed.split(", ").map((rule) => parseRule(rule, "command")), ask: [], deny: [] };
}

test.each([
  ["agent-sdk-python.commands.commit.md", "Bash", "git commit -m x", "allow"],
  ["agent-sdk-python.commands.commit.md", "Bash", "git push", "ask"],
  ["claude-code-viewer.commands.refine-release-note.md", "Edit", "CHANGELOG.md", "allow"],
  ["claude-code-viewer.commands.refine-release-note.md", "Edit", "README.md", "ask"],
])("%s: its own rules make %s(%s) %s", async (name, tool, about, expected) => {
  expect(await decide(await rulesOfCommand(name), tool, about)).toBe(expected);
});

test("agent-sdk-python.commands.commit.md: its own rules let its shell lines run, and no line beside them", async () => {
  const name = "agent-sdk-python.commands.commit.md";
  const rules = await rulesOfCommand(name);
  const text = await readFile(new URL(name, cases), "utf8");
  const lines = [...text.matchAll(/!`([^`]+)`/g)].map(([, line = ""]) => line);
  expect(lines).toEqual(["git status", "git diff HEAD", "git branch --show-current", "git log --oneline -10"]);
  for (const line of lines) expect(await decide(rules, "Bash", line), line).toBe("allow");
  for (const line of ["git status && rm x", "git push", "git commit -m x; curl x"])
    expect(await decide(rules, "Bash", line), line).toBe("ask");
});
