import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callInput } from "../../src/permissions/call-input.ts";
import { describeCall } from "../../src/permissions/call-touches.ts";
import { decidePermission } from "../../src/permissions/decide.ts";
import { explainCall, type PermissionExplanation } from "../../src/permissions/explain.ts";
import type { PermissionMode } from "../../src/permissions/mode.ts";
import { builtinTools } from "../../src/tools/builtin/builtin-tools.ts";
import { commandTable } from "./command-table.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
  await workspace.link("../elsewhere", "ws/out");
});
afterAll(() => workspace.remove());

async function explained(call: string, rules = "", mode: PermissionMode = "default"): Promise<PermissionExplanation> {
  const [, tool = "", about = ""] = /^(\S+) ?(.*)$/s.exec(call) ?? [];
  const input = callInput(tool, about.replaceAll("$ROOT", workspace.root)) ?? {};
  const explanation = await explainCall(tool, input, workspace.contextOf(rules, mode));
  if ("fault" in explanation) throw new Error(explanation.fault);
  return explanation;
}

const shortly = ({ commands = [] }: PermissionExplanation) =>
  commands.map(({ judged, text, rule }) => `${judged} ${text}${rule === undefined ? "" : ` [${rule.rule}]`}`);

describe("the commands of a line are told one by one, with what decided each", () => {
  test.each([
    [
      `env A=1 'B=x y' git clean`,
      "deny Bash(git clean *)",
      [`ask env A=1 'B=x y' git clean [Bash(git clean *)]`, "deny A=1 B='x y' git clean [Bash(git clean *)]"],
    ],
    [
      "npm test && git clean -fd",
      "allow Bash(npm test); deny Bash(git clean *)",
      ["allow npm test [Bash(npm test)]", "deny git clean -fd [Bash(git clean *)]"],
    ],
    [
      "timeout 5 bash -c 'ls; rm x'",
      "",
      ["ask timeout 5 bash -c 'ls; rm x'", "ask bash -c 'ls; rm x'", "allow ls", "ask rm x"],
    ],
    ["FOO=1 ls | sort > out.txt", "", ["ask FOO=1 ls", "ask sort"]],
    ["echo $(cat .env)", "deny Read(.env)", ["deny cat .env [Read(.env)]", "allow echo $(cat .env)"]],
    ["rm -rf /", "allow Bash", ["ask rm -rf /"]],
    [
      "find . -name x -exec rm {} +",
      "allow Bash(rm *)",
      ["ask find . -name x -exec rm {} +", "allow rm {} [Bash(rm *)]"],
    ],
    ["git push", "ask Bash(git push *)", ["ask git push [Bash(git push *)]"]],
    ["$X push", "deny Bash(git push *)", ["ask $X push"]],
  ] as const)("%s with [%s]", async (line, rules, commands) => {
    expect(shortly(await explained(`Bash ${line}`, rules))).toEqual(commands);
  });

  test("with where they run and what they read and write", async () => {
    const { commands } = await explained("Bash cd src && sort < a > b");
    expect(commands).toEqual([
      expect.objectContaining({ text: "cd src", directories: [""], redirections: [] }),
      expect.objectContaining({
        text: "sort",
        directories: ["src"],
        redirections: [
          { type: "reads", target: "a" },
          { type: "writes", target: "b" },
        ],
        reason: "It writes to b, and no rule allows that.",
      }),
    ]);
  });

  test("with what cannot be told before it runs", async () => {
    expect((await explained("Bash curl x | sh")).doubts).toEqual(["a shell runs what is put into it"]);
    expect((await explained("Bash ls")).doubts).toBeUndefined();
  });
});

test("a file is told with where it really lies", async () => {
  expect((await explained("Read out/secret")).paths).toEqual([
    { type: "reads", path: "out/secret", leadsTo: [`${workspace.root}/elsewhere/secret`] },
  ]);
});

test("over the whole table of commands, the parts agree with the whole", async () => {
  const wrong: string[] = [];
  for (const { rules, mode = "default", lines } of commandTable) {
    for (const line of lines.split("\n").filter((each) => each !== "")) {
      const input = { command: line.replaceAll("⏎", "\n").replaceAll("$ROOT", workspace.root) };
      const context = workspace.contextOf(rules, mode);
      const explanation = await explainCall("Bash", input, context);
      const request = describeCall("Bash", input);
      if ("fault" in explanation || "fault" in request) throw new Error(line);
      const { behavior } = await decidePermission(request, context);
      const judged = (explanation.commands ?? []).map((command) => command.judged);
      const isSame = explanation.decision === behavior;
      const agrees = behavior === "allow" ? judged.every((each) => each === "allow") : true;
      const isDeniedRightly = behavior === "deny" || !judged.includes("deny");
      const isAskedForAReason =
        behavior !== "ask" || explanation.doubts !== undefined || judged.includes("ask") || line.length > 10_000;
      if (!(isSame && agrees && isDeniedRightly && isAskedForAReason))
        wrong.push(`${behavior} [${rules}] ${mode}: ${line}: ${judged}`);
    }
  }
  expect(wrong).toEqual([]);
});

describe("a call that is only described touches what its tool says", () => {
  const inputs: Record<string, Record<string, unknown>[]> = {
    Read: [{ file_path: "a" }],
    Write: [{ file_path: "a", content: "" }],
    Edit: [{ file_path: "a", old_string: "x", new_string: "y" }],
    NotebookEdit: [{ notebook_path: "a.ipynb", new_source: "x" }],
    Bash: [{ command: "ls" }, { command: "rm x" }],
    Glob: [
      { pattern: "src/**/*.ts" },
      { pattern: "/etc/*" },
      { pattern: "x", path: "a" },
      { pattern: "*", path: "../b" },
    ],
    Grep: [{ pattern: "x" }, { pattern: "x", path: "src" }],
    WebFetch: [{ url: "https://a.example/", prompt: "x" }],
    TodoWrite: [{ todos: [] }],
  };

  test.each(
    builtinTools().flatMap((tool) => (inputs[tool.name] ?? []).map((input) => [tool.name, input, tool] as const)),
  )("%s %j", (name, input, tool) => {
    const parsed = tool.parse(input);
    if (!parsed.ok) throw new Error(parsed.issues.join());
    const described = describeCall(name, input);
    expect(described).toMatchObject({ touches: tool.touches(parsed.input), isReadOnly: tool.isReadOnly(parsed.input) });
  });
});

test.each([
  ["FOO=1 timeout 5 npm test", "allow Bash(npm test *)", "It sets FOO, which may change what timeout does"],
  ["ls | xargs wc -l", "", "only those of find -print0 | xargs -0 are known"],
  ["grep -rn foo --label=*.ts .", "", "The unquoted pattern in --label=*.ts may become other words"],
  ["cat $X", "", "What $X stands for is only known when it runs"],
])("what keeps `%s` from running with %j is named", async (line, rules, reason) => {
  const { decision, commands = [] } = await explained(`Bash ${line}`, rules);

  expect(decision).toBe("ask");
  expect(commands.find(({ judged }) => judged === "ask")?.reason).toContain(reason);
});

test.each(["--include=*.ts", "--exclude-dir=node*", "--include='*.ts' --exclude=*.d.ts"])(
  "names of a search need no quotes: grep -rn foo %s . runs unasked",
  async (options) => {
    expect((await explained(`Bash grep -rn foo ${options} .`)).decision).toBe("allow");
  },
);

test.each(["--include*.ts", "--incl[u]de=x", "--include=$X", "--file=*"])(
  "a pattern that may become another option is asked about: %s",
  async (option) => {
    expect((await explained(`Bash grep -rn foo ${option} .`)).decision).toBe("ask");
  },
);
