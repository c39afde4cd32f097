import { access, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { localFiles } from "../../src/files/local-files.ts";
import { decidePermission } from "../../src/permissions/decide.ts";
import type { PermissionMode } from "../../src/permissions/mode.ts";
import { parseRule, type RuleList } from "../../src/permissions/rule.ts";
import type { RuleSet } from "../../src/permissions/rule-set.ts";

export type Workspace = Awaited<ReturnType<typeof makeWorkspace>>;

const files: Readonly<Record<string, string>> = {
  "ws/package.json": '{ "name": "demo", "scripts": { "test": "node --test" } }\n',
  "ws/README.md": "# Demo\n\nTODO: write more.\n",
  "ws/notes.txt": "one\ntwo\nthree\ntwo\n",
  "ws/data.csv": "name,count\na,1\nb,2\n",
  "ws/.env": "SECRET=1\n",
  "ws/src/index.ts": 'import { add } from "./lib/add.ts";\nconsole.log(add(1, 2)); // TODO\n',
  "ws/src/lib/add.ts": "export const add = (a: number, b: number) => a + b;\n",
  "ws/src/lib/sub.ts": "export const sub = (a: number, b: number) => a - b;\n",
  "ws/test/add.test.ts": 'import { add } from "../src/lib/add.ts";\n',
  "ws/docs/guide.md": "# Guide\n",
  "ws/logs/app.log": "INFO start\nERROR failed\nINFO end\n",
  "ws-beside/secret": "beside\n",
  "elsewhere/secret": "elsewhere\n",
  "home/.profile": "",
};

/** A small project with something beside it, and decisions about commands in it. */
export async function makeWorkspace() {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-permissions-")));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const cwd = join(root, "ws");

  /** Rules as `allow Bash(npm *); deny Bash(rm *)`; `$ROOT` in rules and commands is the folder of the test. */
  async function decide(command: string, rules = "", mode: PermissionMode = "default", tool = "Bash") {
    const line = command.replaceAll("$ROOT", root);
    const request = {
      tool,
      input: { command: line },
      touches: [{ type: "command" as const, command: line }],
      isReadOnly: false,
    };
    return decidePermission(request, contextOf(rules, mode));
  }

  const contextOf = (rules: string, mode: PermissionMode) => ({
    mode,
    rules: rulesOf(rules.replaceAll("$ROOT", root)),
    cwd,
    startCwd: cwd,
    directories: [cwd],
    home: join(root, "home"),
    configHome: join(root, "home/.pawl"),
    files: localFiles(),
  });

  return {
    root,
    cwd,
    decide,
    contextOf,
    link: (target: string, path: string) => symlink(target, join(root, path)),
    isMissing: (path: string) =>
      access(join(root, path)).then(
        () => false,
        () => true,
      ),
    write: (path: string, text: string) => writeFile(join(root, path), text),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

function rulesOf(text: string): RuleSet {
  const lists: Record<RuleList, ReturnType<typeof parseRule>[]> = { allow: [], ask: [], deny: [] };
  for (const entry of text.split("; ").filter((each) => each !== "")) {
    const [, list, rule = ""] = /^(allow|ask|deny) (.*)$/s.exec(entry) ?? [];
    if (list !== "allow" && list !== "ask" && list !== "deny") throw new Error(`no such list: ${entry}`);
    lists[list].push(parseRule(rule, "userSettings"));
  }
  return lists;
}
