import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { permissionContext } from "../../test/support/permission-context.ts";
import { isHarmless } from "../shell/plain-command.ts";
import type { PermissionContext, PermissionRequest } from "./context.ts";
import { decidePermission } from "./decide.ts";
import { permissionModes } from "./mode.ts";
import { parseRule, type RuleList } from "./rule.ts";
import type { RuleSet } from "./rule-set.ts";

let root: string;
let context: PermissionContext;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-decide-")));
  const folders = ["ws/src", "ws/.git/hooks", "ws/.claude/worktrees/w", "home/.pawl", "added", "elsewhere", "stored"];
  for (const folder of folders) await mkdir(join(root, folder), { recursive: true });
  for (const file of ["ws/src/a.ts", "ws/.env", "elsewhere/secret", "added/notes", "stored/output.txt", "decoy"]) {
    await writeFile(join(root, file), "");
  }
  await symlink(join(root, "elsewhere"), join(root, "ws/out"));
  await symlink(join(root, "elsewhere/not-yet"), join(root, "ws/dangling"));
  await symlink(join(root, "ws/.git"), join(root, "ws/plain-name"));
  context = permissionContext(root, {
    directories: [join(root, "ws"), join(root, "added")],
    readableDirectories: [join(root, "stored")],
  });
});
afterAll(() => rm(root, { recursive: true }));

/** A call as its tool describes it; `$` stands for the folder of the test. */
const calls: Record<string, (about: string) => Omit<PermissionRequest, "tool">> = {
  Read: (path) => ({ input: { file_path: path }, touches: [{ type: "read", path }], isReadOnly: true }),
  Grep: (path) => ({ input: { pattern: "x", path }, touches: [{ type: "read", path }], isReadOnly: true }),
  Write: (path) => ({ input: { file_path: path }, touches: [{ type: "write", path }], isReadOnly: false }),
  Edit: (path) => ({ input: { file_path: path }, touches: [{ type: "write", path }], isReadOnly: false }),
  NotebookEdit: (path) => ({ input: { notebook_path: path }, touches: [{ type: "write", path }], isReadOnly: false }),
  Bash: (command) => ({
    input: { command },
    touches: [{ type: "command", command }],
    isReadOnly: isHarmless(command),
  }),
  Monitor: (command) => ({ input: { command }, touches: [{ type: "command", command }], isReadOnly: false }),
  // A Monitor that watches a web socket.
  MonitorSocket: (url) => ({ input: { ws: { url } }, touches: [{ type: "url", url }], isReadOnly: false }),
  ApplyPatch: (path) => ({ input: { patch: path }, touches: [{ type: "write", path }], isReadOnly: false }),
  WebFetch: (url) => ({ input: { url }, touches: [{ type: "url", url }], isReadOnly: true }),
  WebSearch: (query) => ({ input: { query }, touches: [{ type: "other" }], isReadOnly: true }),
  TodoWrite: () => ({ input: { todos: [] }, touches: [], isReadOnly: true }),
  Agent: (type) => ({ input: { subagent_type: type }, touches: [{ type: "other" }], isReadOnly: false }),
  Skill: (skill) => ({ input: { skill }, touches: [{ type: "other" }], isReadOnly: false }),
  AskUserQuestion: () => ({ input: { questions: [] }, touches: [], isReadOnly: true }),
  ExitPlanMode: () => ({ input: {}, touches: [], isReadOnly: true }),
  mcp__db__query: (sql) => ({ input: { sql, limit: 5 }, touches: [{ type: "other" }], isReadOnly: true }),
  mcp__db__drop: (table) => ({ input: { table }, touches: [{ type: "other" }], isReadOnly: false }),
  lookup: () => ({ input: {}, touches: [{ type: "other" }], isReadOnly: true }),
};

function requestOf(call: string): PermissionRequest {
  const [tool = "", ...about] = call.split(" ");
  const described = calls[tool]?.(about.join(" ").replaceAll("$", root));
  if (described === undefined) throw new Error(`no such call: ${call}`);
  return { tool: tool.replace("Socket", ""), ...described };
}

/** `allow Read(x); deny Bash(rm *)` */
function rulesOf(text: string): RuleSet {
  const lists: Record<RuleList, ReturnType<typeof parseRule>[]> = { allow: [], ask: [], deny: [] };
  for (const entry of text.split("; ").filter((entry) => entry !== "")) {
    const [, list, rule = ""] = /^(allow|ask|deny) (.*)$/.exec(entry) ?? [];
    if (list !== "allow" && list !== "ask" && list !== "deny") throw new Error(`no such list: ${entry}`);
    lists[list].push(parseRule(rule.replaceAll("$", root), "userSettings"));
  }
  return lists;
}

/** Rows: the call, the rules, and the answer in default, acceptEdits, plan, dontAsk and bypassPermissions. */
const table: [call: string, rules: string, answers: string][] = [
  // reads
  ["Read src/a.ts", "", "allow allow allow allow allow"],
  ["Read $/ws/src/a.ts", "", "allow allow allow allow allow"],
  ["Read $/added/notes", "", "allow allow allow allow allow"],
  ["Read $/stored/output.txt", "", "allow allow allow allow allow"],
  ["Read $/elsewhere/secret", "", "ask ask ask deny allow"],
  ["Read ../elsewhere/secret", "", "ask ask ask deny allow"],
  ["Read out/secret", "", "ask ask ask deny allow"],
  ["Read out/../x", "", "ask ask ask deny allow"],
  ["Read ~/.ssh/id_rsa", "", "ask ask ask deny allow"],
  ["Read $/ws-beside/a", "", "ask ask ask deny allow"],
  ["Grep $/elsewhere", "", "ask ask ask deny allow"],
  ["Grep src", "", "allow allow allow allow allow"],
  ["Read $/elsewhere/secret", "allow Read", "allow allow allow allow allow"],
  ["Read $/elsewhere/secret", "allow Read(/$/elsewhere/**)", "allow allow allow allow allow"],
  ["Grep $/elsewhere", "allow Read(/$/elsewhere/**)", "allow allow allow allow allow"],
  ["Read $/elsewhere/secret", "allow Edit(/$/elsewhere/**)", "allow allow allow allow allow"],
  ["Read out/secret", "allow Read(out/**)", "ask ask ask deny allow"],
  ["Read .env", "deny Read(.env)", "deny deny deny deny deny"],
  ["Read .env", "deny Read(.env); allow Read", "deny deny deny deny deny"],
  ["Monitor touch m", "deny Bash", "deny deny deny deny deny"],
  ["Monitor touch m", "deny Bash(*)", "deny deny deny deny deny"],
  ["Monitor touch m", "deny B*", "deny deny deny deny deny"],
  ["Monitor touch m", "ask Bash", "ask ask ask deny ask"],
  ["Monitor touch m", "deny Bash(touch *)", "deny deny deny deny deny"],
  ["MonitorSocket wss://a.example/x", "deny WebFetch(domain:a.example)", "deny deny deny deny deny"],
  ["MonitorSocket wss://b.example/x", "deny WebFetch(domain:a.example)", "ask ask ask deny allow"],
  ["MonitorSocket wss://a.example/x", "deny WebFetch", "deny deny deny deny deny"],
  ["MonitorSocket wss://a.example/x", "allow WebFetch", "ask ask ask deny allow"],
  ["Read .env", "ask Read(.env)", "ask ask ask deny ask"],
  ["Read .env", "ask Read(.env); allow Read(.env)", "ask ask ask deny ask"],
  ["Write .env", "deny Read(.env)", "deny deny deny deny deny"],
  ["NotebookEdit .env", "deny Read(.env)", "ask allow ask deny allow"],
  ["Read out/secret", "deny Read(/$/elsewhere/**)", "deny deny deny deny deny"],
  ["Read src/a.ts", "deny Read", "deny deny deny deny deny"],
  ["Grep src", "deny R*", "allow allow allow allow allow"],
  // writes
  ["Write src/new.ts", "", "ask allow ask deny allow"],
  ["Edit src/a.ts", "", "ask allow ask deny allow"],
  ["NotebookEdit src/n.ipynb", "", "ask allow ask deny allow"],
  ["Write $/added/deep/new", "", "ask allow ask deny allow"],
  ["Write $/stored/output.txt", "", "ask ask ask deny allow"],
  ["Write $/elsewhere/new", "", "ask ask ask deny allow"],
  ["Write out/new.txt", "", "ask ask ask deny allow"],
  ["Write out/deep/new.txt", "", "ask ask ask deny allow"],
  ["Write dangling", "", "ask ask ask deny allow"],
  ["Edit src/a.ts", "allow Edit(src/**)", "allow allow ask allow allow"],
  ["Write src/new.ts", "allow Edit(src/**)", "allow allow ask allow allow"],
  ["Write src/new.ts", "allow Write", "allow allow ask allow allow"],
  ["Write src/new.ts", "allow Write(src/**)", "ask allow ask deny allow"],
  ["Write out/new.txt", "allow Edit(out/**)", "ask ask ask deny allow"],
  ["Write dangling", "allow Edit(**)", "ask ask ask deny allow"],
  ["Write src/new.ts", "deny Edit(src/**)", "deny deny deny deny deny"],
  ["Write src/new.ts", "ask Edit(src/**)", "ask ask ask deny ask"],
  ["Write src/new.ts", "allow *", "ask allow ask deny allow"],
  // protected paths
  ["Write .git/hooks/pre-commit", "", "ask ask ask deny allow"],
  ["Write .git/hooks/pre-commit", "allow Write; allow Edit(**)", "ask ask ask deny allow"],
  ["Write .GIT/config", "", "ask ask ask deny allow"],
  ["Write plain-name/config", "", "ask ask ask deny allow"],
  ["Write src/.npmrc", "allow Write", "ask ask ask deny allow"],
  ["Write .pawl/settings.json", "allow Write", "ask ask ask deny allow"],
  ["Write .claude/worktrees/w/a.ts", "", "ask allow ask deny allow"],
  ["Write .claude/worktrees/w/.git/config", "", "ask ask ask deny allow"],
  ["Write .config/git/config", "", "ask ask ask deny allow"],
  ["Write git/config", "", "ask allow ask deny allow"],
  ["Read .git/config", "", "allow allow allow allow allow"],
  ["Bash cp evil .git/hooks/pre-commit", "allow Bash", "ask ask ask deny allow"],
  ["Bash echo x > .bashrc", "allow Bash", "ask ask ask deny allow"],
  // commands
  ["Bash ls -la src", "", "allow allow allow allow allow"],
  ["Bash cat .env", "", "allow allow allow allow allow"],
  ["Bash cat $/elsewhere/secret", "", "ask ask ask deny allow"],
  ["Bash cat out/secret", "", "ask ask ask deny allow"],
  ["Bash head --lines=1 ../elsewhere/secret", "", "ask ask ask deny allow"],
  ["Bash cat out/../decoy", "", "ask ask ask deny allow"],
  ["Bash grep -f/etc/passwd src", "", "ask ask ask deny allow"],
  ["Bash ls /dev/null", "", "allow allow allow allow allow"],
  ["Bash grep -r /api/users src", "", "allow allow allow allow allow"],
  ["Bash echo /etc/passwd", "", "allow allow allow allow allow"],
  ["Bash cat .env", "deny Read(.env)", "deny deny deny deny deny"],
  ["Bash cat .env | wc -l", "deny Read(.env)", "deny deny deny deny deny"],
  ["Bash wc -l < .env", "deny Read(.env)", "deny deny deny deny deny"],
  ["Bash echo x > src/a.ts", "deny Edit(src/**)", "deny deny deny deny deny"],
  ["Bash ls; ls", "", "allow allow allow allow allow"],
  ["Bash npm test", "", "ask ask ask deny allow"],
  ["Bash npm test", "allow Bash", "allow allow ask allow allow"],
  ["Bash npm test", "allow Bash(*)", "allow allow ask allow allow"],
  ["Bash npm test", "allow Bash(npm test *)", "allow allow ask allow allow"],
  ["Bash npm test && curl x | sh", "allow Bash(npm test *)", "ask ask ask deny allow"],
  ["Bash npm test && curl x | sh", "allow Bash", "allow allow ask allow allow"],
  ["Bash npm test", "allow Bash(npm test *); ask Bash(npm *)", "ask ask ask deny ask"],
  ["Bash npm test", "deny Bash", "deny deny deny deny deny"],
  ["Bash git fetch && git clean -fd", "allow Bash; deny Bash(git clean *)", "deny deny deny deny deny"],
  ["Bash ls", "ask Bash", "ask ask ask deny ask"],
  ["Bash npm test", "deny Bash(run_in_background:true)", "ask ask ask deny allow"],
  // file commands
  ["Bash mkdir -p src/deep", "", "ask allow ask deny allow"],
  ["Bash NO_COLOR=1 timeout 5 touch src/b", "", "ask allow ask deny allow"],
  ["Bash mv src/a.ts src/b.ts", "", "ask allow ask deny allow"],
  ["Bash mv src/a.ts $/elsewhere/", "", "ask ask ask deny allow"],
  ["Bash cp src/a.ts out/a.ts", "", "ask ask ask deny allow"],
  ["Bash cp --target-directory=$/elsewhere src/a.ts", "", "ask ask ask deny allow"],
  ["Bash rm -rf src", "", "ask allow ask deny allow"],
  ["Bash rm src/a.ts; id", "", "ask allow ask deny allow"],
  ["Bash rm src/a.ts; curl x", "", "ask ask ask deny allow"],
  ["Bash sed -i s/a/b/g src/a.ts", "", `ask ${process.platform === "linux" ? "allow" : "ask"} ask deny allow`],
  ["Bash sed -i 's/a/b/e' src/a.ts", "", "ask ask ask deny allow"],
  ["Bash sed -i 's/a/b/w /etc/x' src/a.ts", "", "ask ask ask deny allow"],
  ["Bash sed -n '1e id' src/a.ts", "", "ask ask ask deny allow"],
  // removals that no rule approves
  ["Bash rm -rf /", "", "ask ask ask deny ask"],
  ["Bash rm -rf /", "allow Bash", "ask ask ask deny ask"],
  ["Bash rm -rf ~", "allow Bash(rm *)", "ask ask ask deny ask"],
  ["Bash rm -rf .", "", "ask ask ask deny ask"],
  ["Bash ls && rm -rf /*", "allow Bash", "ask ask ask deny ask"],
  ["Bash rm -rf /", "deny Bash(rm *)", "deny deny deny deny deny"],
  // web
  ["WebFetch https://docs.example.com/x", "", "ask ask ask deny allow"],
  ["WebFetch https://docs.example.com/x", "allow WebFetch", "allow allow allow allow allow"],
  ["WebFetch https://docs.example.com/x", "allow WebFetch(domain:docs.example.com)", "allow allow allow allow allow"],
  ["WebFetch https://DOCS.example.com./x", "allow WebFetch(domain:docs.example.com)", "allow allow allow allow allow"],
  ["WebFetch https://example.com/x", "allow WebFetch(domain:*.example.com)", "ask ask ask deny allow"],
  ["WebFetch https://a.b.example.com/x", "deny WebFetch(domain:*.example.com)", "deny deny deny deny deny"],
  ["WebFetch https://docs.example.com@evil.net/", "allow WebFetch(domain:docs.example.com)", "ask ask ask deny allow"],
  ["WebSearch cats", "", "ask ask ask deny allow"],
  // the session's own tools, and foreign ones
  ["TodoWrite", "", "allow allow allow allow allow"],
  ["Agent Explore", "", "allow allow allow allow allow"],
  ["Agent Explore", "deny Task(Explore)", "deny deny deny deny deny"],
  ["Agent Plan", "deny Agent(Explore)", "allow allow allow allow allow"],
  ["Skill deploy", "", "ask ask ask deny allow"],
  ["Skill deploy", "allow Skill(deploy)", "allow allow allow allow allow"],
  ["lookup", "", "allow allow allow allow allow"],
  ["AskUserQuestion", "allow AskUserQuestion", "ask ask ask deny ask"],
  ["ExitPlanMode", "allow ExitPlanMode", "ask ask ask deny ask"],
  ["mcp__db__query select", "", "ask ask ask deny allow"],
  ["mcp__db__query select", "allow mcp__db", "allow allow allow allow allow"],
  ["mcp__db__query select", "allow mcp__db__*", "allow allow allow allow allow"],
  ["mcp__db__query select", "allow mcp__d", "ask ask ask deny allow"],
  ["mcp__db__query select", "allow mcp__*", "ask ask ask deny allow"],
  ["mcp__db__query select", "deny mcp__*", "deny deny deny deny deny"],
  ["mcp__db__query drop it", "deny mcp__db__query(sql:drop *)", "deny deny deny deny deny"],
  ["mcp__db__query select", "deny mcp__db__query(limit:5)", "deny deny deny deny deny"],
  ["mcp__db__drop users", "allow mcp__db__query", "ask ask ask deny allow"],
  ["mcp__db__drop users", "allow mcp__db__drop", "allow allow allow allow allow"],
];

/** In the order of the answers; `auto` has a test of its own. */
const modes = permissionModes.filter((mode) => mode !== "auto");

describe.each(modes.map((mode, at) => ({ mode, at })))("in mode $mode", ({ mode, at }) => {
  test.each(table)("%s with [%s]", async (call, rules, answers) => {
    const { behavior } = await decidePermission(requestOf(call), { ...context, mode, rules: rulesOf(rules) });
    expect(behavior).toBe(answers.split(" ")[at]);
  });
});

const decide = (call: string, rules: string, changes: Partial<PermissionContext> = {}) =>
  decidePermission(requestOf(call), { ...context, rules: rulesOf(rules), ...changes });

test("a denial names the rule and its source, to the caller and to the model", async () => {
  expect(await decide("Bash git clean -fd", "deny Bash(git clean *)")).toEqual({
    behavior: "deny",
    message:
      'Permission to use Bash with command git clean -fd has been denied. Rule "Bash(git clean *)" (user settings) denies it.',
    because: {
      type: "rule",
      rule: "Bash(git clean *)",
      source: "userSettings",
      reason: 'Rule "Bash(git clean *)" (user settings) denies it.',
    },
  });
});

test("what is allowed, asked or refused by the mode says so", async () => {
  expect(await decide("Read src/a.ts", "")).toEqual({
    behavior: "allow",
    because: { type: "mode", reason: "It changes nothing and stays in the working directories." },
  });
  expect(await decide("Write src/a.ts", "allow Write")).toEqual({
    behavior: "allow",
    because: { type: "rule", rule: "Write", source: "userSettings", reason: 'Rule "Write" (user settings) allows it.' },
  });
  expect(await decide("Write .npmrc", "", { mode: "acceptEdits" })).toEqual({
    behavior: "ask",
    because: {
      type: "safety",
      reason: ".npmrc is protected: what is in .npmrc can make other programs run commands.",
    },
    suggestions: [],
  });
  expect(await decide("Write src/a.ts", "", { mode: "dontAsk" })).toEqual({
    behavior: "deny",
    message:
      'Permission to use Write has been denied. No rule allows it and mode "dontAsk" does not either. Mode "dontAsk" denies what would be asked.',
    because: {
      type: "mode",
      reason: 'No rule allows it and mode "dontAsk" does not either. Mode "dontAsk" denies what would be asked.',
    },
  });
});

test("after a change of directory paths are judged from the new one", async () => {
  expect((await decide("Read ../../elsewhere/secret", "", { cwd: join(root, "ws/src") })).behavior).toBe("ask");
  expect((await decide("Read ../.env", "", { cwd: join(root, "ws/src") })).behavior).toBe("allow");
});

test("a link that is put in place between two calls is seen by the second", async () => {
  const write = () => decide("Write later/new.txt", "", { mode: "acceptEdits" });
  await mkdir(join(root, "ws/later"));
  expect((await write()).behavior).toBe("allow");
  await rm(join(root, "ws/later"), { recursive: true });
  await symlink(join(root, "elsewhere"), join(root, "ws/later"));
  expect((await write()).behavior).toBe("ask");
});
