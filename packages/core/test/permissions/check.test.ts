import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callInput } from "../../src/permissions/call-input.ts";
import { checkPermission } from "../../src/permissions/check.ts";
import { requestRules } from "./request-rules.ts";

const isLong = process.env["PAWL_LONG"] === "1";

let base: string;
let tree: string;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "pawl-check-")));
  tree = join(base, "tree");
  const files = [
    "w/app/src/a.ts",
    "w/app/.env",
    "w/app/real/x",
    "etc/passwd",
    "data/x",
    "c/work/app/src/a.ts",
    "c/out/x",
  ];
  for (const file of files) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), "");
  }
  await writeFile(join(base, "outside"), "");
  const links: Record<string, string> = {
    "w/app/out": "/data",
    "w/app/up": "../..",
    "w/app/inner": "real",
    "w/app/Far": "/etc",
    "w/app/harmless": ".env",
    "w/app/dangling": "/data/not-yet",
    "w/app/loop": "loop",
    "w/app/ping": "pong",
    "w/app/pong": "ping",
    "w/app/escape": "../../../../../../outside",
    "w/app/host": base,
    "w/app/git": ".git",
    "w/alias": "app",
    "c/work/app/out": "C:\\out",
    "c/work/app/slash": "/c/out",
  };
  for (const [path, target] of Object.entries(links)) await symlink(target, join(tree, path));
});
afterAll(() => rm(base, { recursive: true, force: true }));

async function decided(call: string, rules = "", more: Record<string, unknown> = {}) {
  const [, tool = "", about = ""] = /^(\S+) ?(.*)$/s.exec(call) ?? [];
  const place = { cwd: "/w/app", home: "/home/me", platform: "linux", readOnlyRoot: tree, mode: "default" };
  return checkPermission({ ...place, tool, input: callInput(tool, about) ?? {}, ...requestRules(rules), ...more });
}

test("of a Monitor without a description its socket is judged all the same", async () => {
  const ws = { url: "wss://a.example/x" };
  const request = { cwd: "/ws", tool: "Monitor", input: { ws }, mode: "bypassPermissions" };
  const deny = (rule: string) => checkPermission({ ...request, rules: { deny: [rule] } });
  expect((await deny("WebFetch(domain:a.example)")).decision).toBe("deny");
  expect((await deny("WebFetch(domain:b.example)")).decision).toBe("allow");
});

test("a Monitor rule is about the commands of Monitor alone, a Bash rule about those of both", async () => {
  const monitor = (command: string, rules: string) => decided(`Monitor ${command}`, rules);
  expect((await monitor("sudo rm x", "deny Monitor(rm *)")).decision).toBe("deny");
  expect((await decided("Bash sudo rm x", "deny Monitor(rm *)")).decision).toBe("ask");
  expect((await monitor("rm x", "deny Bash(rm *)")).decision).toBe("deny");
  expect((await monitor("tail -F log | foo", "allow Monitor(foo)")).decision).toBe("allow");
  expect((await monitor("tail -F log | foo; bar", "allow Monitor(foo)")).decision).toBe("ask");
  expect((await decided("Bash foo", "allow Monitor(foo)")).decision).toBe("ask");
});

describe("links in a folder tree that stands for the disk", () => {
  test.each([
    ["Read src/a.ts", "", "allow"],
    ["Read /w/app/src/a.ts", "", "allow"],
    ["Read /w/alias/src/a.ts", "", "allow"],
    ["Read inner/x", "", "allow"],
    ["Read out/x", "", "ask"],
    ["Read out", "", "ask"],
    ["Read up/etc/passwd", "", "ask"],
    ["Read out/../x", "", "ask"],
    ["Read inner/../.env", "", "allow"],
    ["Read dangling", "", "ask"],
    ["Read escape", "", "ask"],
    ["Read host/outside", "", "ask"],
    ["Read host", "allow Read(//w/**)", "ask"],
    ["Read out/x", "allow Read(out/**)", "ask"],
    ["Read out/x", "allow Read(//data/**)", "ask"],
    ["Read out/x", "allow Read(out/**); allow Read(//data/**)", "ask"],
    ["Read out/x", "deny Read(//data/**); allow Read", "deny"],
    ["Read harmless", "deny Read(.env)", "deny"],
    ["Bash cat harmless", "deny Read(.env)", "deny"],
    ["Bash cat src/*", "", "allow"],
    ["Bash cat */x", "", "ask"],
    ["Bash cat real/*", "", "allow"],
    ["Write git/config", "allow Edit", "ask"],
    ["Write git/config", "allow Write", "ask"],
    ["Write dangling", "allow Edit(**)", "ask"],
    ["Write inner/new", "allow Edit(**)", "allow"],
    ["Read far/passwd", "", "allow"],
  ] as const)("%s with [%s]: %s", async (call, rules, decision) => {
    expect(await decided(call, rules)).toMatchObject({ decision });
  });

  test.each([
    ["Read far/passwd", "", "ask"],
    ["Read FAR/passwd", "", "ask"],
    ["Read OUT/x", "", "ask"],
    ["Read HARMLESS", "deny Read(.ENV)", "deny"],
    ["Read /W/App/SRC/A.ts", "", "allow"],
  ] as const)("on a Mac, by names in any letter case, %s with [%s]: %s", async (call, rules, decision) => {
    expect(await decided(call, rules, { platform: "darwin" })).toMatchObject({ decision });
  });

  test.each([
    ["Read SRC\\A.ts", "allow"],
    ["Read out\\x", "ask"],
    ["Read OUT/x", "ask"],
    ["Read slash\\x", "ask"],
    ["Bash cat out/x", "ask"],
  ] as const)("on Windows, with links to its drives, %s: %s", async (call, decision) => {
    const at = { platform: "win32", cwd: "C:\\work\\app", home: "C:\\Users\\me" };
    expect(await decided(call, "", at)).toMatchObject({ decision });
  });

  test.each(["Read loop", "Read ping/x", "Write pong", "Bash cat loop", "Bash echo x > ping"])(
    "a loop of links leads nowhere: %s is denied",
    async (call) => {
      for (const mode of ["default", "bypassPermissions"]) {
        expect(await decided(call, "allow Read; allow Edit; allow Bash", { mode })).toMatchObject({
          decision: "deny",
          error: "invalid_path",
        });
      }
    },
  );

  test("nothing of the disk beside the tree is looked at: what a link names there is taken to be missing", async () => {
    expect((await decided("Read escape", "allow Read(//outside)")).decision).toBe("ask"); // not as it is written
    expect((await decided("Read escape", "deny Read(//outside)")).decision).toBe("deny");
  });
});

test("the decision names the rule as it was given, and the request's source of it", async () => {
  expect(await decided("Read .env", "user: deny Read(.env)")).toEqual({
    decision: "deny",
    rule: "Read(.env)",
    source: "user",
    reason: 'Rule "Read(.env)" (user settings) denies it.',
  });
});

test("rules that never match are pointed out", async () => {
  const { warnings } = await decided("Write a", "allow Write(a); deny Glob(src/**); allow mcp__*");
  expect(warnings).toEqual([
    expect.stringContaining('write "Edit(a)"'),
    expect.stringContaining("an allow rule names one tool"),
    expect.stringContaining('write "Read(src/**)"'),
  ]);
});

test.each([
  ["default", "ask"],
  ["manual", "ask"],
  ["acceptEdits", "allow"],
  ["plan", "ask"],
  ["dontAsk", "deny"],
  ["auto", "allow"],
  ["bypassPermissions", "allow"],
] as const)("in mode %s writing a file of the working directory is: %s", async (mode, decision) => {
  expect(await decided("Write src/new.ts", "", { mode })).toMatchObject({ decision });
});

test("in mode auto, where no classifier is, what it would answer is asked, and broad rules do not count", async () => {
  expect(await decided("Bash npm test", "", { mode: "auto" })).toMatchObject({ decision: "ask" });
  expect(await decided("Bash npm test", "allow Bash", { mode: "auto" })).toMatchObject({ decision: "ask" });
  expect(await decided("Bash npm test", "allow Bash(npm test)", { mode: "auto" })).toMatchObject({ decision: "allow" });
});

const sound = { tool: "Read", input: { file_path: "a" }, cwd: "/w" };

test.each([
  ["no object", 5, "invalid_request"],
  ["null", null, "invalid_request"],
  ["a list", [sound], "invalid_request"],
  ["no tool", { ...sound, tool: undefined }, "invalid_request"],
  ["a tool that is no text", { ...sound, tool: {} }, "invalid_request"],
  ["an input that is a text", { ...sound, input: "a" }, "invalid_request"],
  ["a path that is a number", { ...sound, input: { file_path: 5 } }, "invalid_input"],
  ["no path", { ...sound, input: {} }, "invalid_input"],
  ["NUL in a path", { ...sound, input: { file_path: "a\0b" } }, "invalid_path"],
  ["NUL in a command", { ...sound, tool: "Bash", input: { command: "ls \0 x" } }, "invalid_path"],
  ["NUL in cwd", { ...sound, cwd: "/w\0" }, "invalid_request"],
  ["a relative cwd", { ...sound, cwd: "w" }, "invalid_request"],
  ["no cwd", { ...sound, cwd: undefined }, "invalid_request"],
  ["an unknown mode", { ...sound, mode: "yolo" }, "invalid_request"],
  ["an unknown platform", { ...sound, platform: "beos" }, "invalid_request"],
  ["an unknown shell", { ...sound, shell: "fish" }, "invalid_request"],
  ["an unknown source", { ...sound, rules_source: "nobody" }, "invalid_request"],
  ["rules that are a list", { ...sound, rules: ["Read"] }, "invalid_request"],
  ["a rule that is a number", { ...sound, rules: { deny: [5] } }, "invalid_request"],
  ["a deny rule that cannot be read", { ...sound, rules: { deny: ["Read(x"] } }, "invalid_rule"],
  ["too many rules", { ...sound, rules: { deny: Array.from({ length: 5_000 }, () => "Read(x)") } }, "invalid_request"],
  ["a path that no system takes", { ...sound, input: { file_path: "a/".repeat(50_000) } }, "invalid_path"],
])("%s is denied and named", async (_, request, error) => {
  const answer = await checkPermission(request);
  expect(answer).toMatchObject({ decision: "deny", error });
  expect(answer.reason).not.toBe("");
});

test("an allow rule that cannot be read is left out with a warning", async () => {
  expect(await checkPermission({ ...sound, rules: { allow: ["Read(x"] } })).toMatchObject({
    decision: "allow",
    warnings: [expect.stringContaining("has no closing bracket")],
  });
});

test("whatever a request holds, it has an answer", async () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constantFrom(
      "Bash",
      "Read",
      "Write",
      "C:\\x",
      "\\\\?\\",
      "~",
      "/",
      "..",
      "win32",
      "darwin",
      "zsh",
      "user",
      "plan",
    ),
  );
  const path = fc.array(
    fc.constantFrom("..", ".", "~", "a", "B~1", ".git", "C:", "x:y", "", "\u200c", "*", "[", "\\", "con", "loop"),
  );
  const command = fc.array(
    fc.constantFrom(
      "ls",
      "|",
      "&&",
      ";",
      "$(",
      ")",
      "`",
      "'",
      '"',
      "\\",
      "\n",
      "rm",
      "-rf",
      "/",
      "{a,b}",
      "<<X",
      "X",
      ">",
      "*",
      "[[",
      "=ls",
      "\0",
    ),
    { maxLength: 30 },
  );
  const rule = fc
    .tuple(fc.constantFrom("Bash", "Read", "Edit", "mcp__*", "*", "WebFetch"), text)
    .map(([tool, spec]) => `${tool}(${spec})`);
  const request = fc.record(
    {
      tool: fc.oneof(fc.constantFrom("Bash", "Read", "Write", "Grep", "Glob", "WebFetch", "Skill"), fc.anything()),
      input: fc.oneof(
        command.map((words) => ({ command: words.join(" ") })),
        path.map((parts) => ({
          file_path: parts.join("/"),
          path: parts.join("\\"),
          pattern: parts.join("/"),
          url: parts.join("/"),
        })),
        fc.anything(),
      ),
      rules: fc.oneof(fc.record({ allow: fc.array(rule), deny: fc.array(rule) }), fc.anything()),
      rules_source: fc.oneof(fc.constantFrom("user", "project", "local", "flag"), fc.anything()),
      mode: fc.oneof(fc.constantFrom("default", "plan", "dontAsk", "auto", "bypassPermissions"), fc.anything()),
      cwd: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("/w/app", "C:\\app", "/") }, fc.anything()),
      home: fc.oneof({ weight: 5, arbitrary: fc.constant("/home/me") }, fc.anything()),
      additionalDirectories: fc.oneof(fc.array(text), fc.anything()),
      platform: fc.oneof(fc.constantFrom("linux", "darwin", "win32"), fc.anything()),
      shell: fc.oneof({ weight: 5, arbitrary: fc.constantFrom("bash", "zsh", "sh") }, fc.anything()),
      readOnlyRoot: fc.oneof({ weight: 5, arbitrary: fc.constant(tree) }, fc.constant("/nowhere")),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(request, async (value) => {
      const answer = await checkPermission(value);
      expect(["allow", "ask", "deny"]).toContain(answer.decision);
      expect(typeof answer.reason).toBe("string");
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      expect(answer.error).not.toBe("internal");
    }),
    { numRuns: isLong ? 10_000 : 400, seed: 4 },
  );
}, 600_000);
