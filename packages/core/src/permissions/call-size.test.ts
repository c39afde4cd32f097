import { expect, test } from "vitest";
import { localFiles } from "../files/local-files.ts";
import { checkPermission } from "./check.ts";
import { MAX_PATH_CHARS } from "./check-request.ts";
import { explainCall } from "./explain.ts";
import { parseRule } from "./rule.ts";

const words = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`).join(" ");
const rules = (count: number, rule: (at: number) => string) => Array.from({ length: count }, (_, at) => rule(at));
const check = (more: Record<string, unknown>) =>
  checkPermission({ tool: "Bash", cwd: "/ws", home: "/home/u", ...more });

/** The last of so many rules is about the call: whatever is not compared with it must not run. */
test.each(["default", "dontAsk", "bypassPermissions"])(
  "a deny rule that is beyond what is compared denies in mode %s, and an ask rule asks",
  async (mode) => {
    const many = [...rules(1_900, (at) => `Read(x${at}/**)`), "Bash(cat *)"];
    const input = { command: `cat ${words(1_500)}` };
    const denied = await check({ input, rules: { deny: many, allow: ["Bash"] }, mode });
    expect(denied).toMatchObject({ decision: "deny", rule: expect.stringMatching(/^Read\(x\d+/) });
    expect(denied.reason).toContain("split it into smaller ones");
    const asked = await check({ input, rules: { ask: many, allow: ["Bash"] }, mode });
    expect(asked.decision).toBe(mode === "dontAsk" ? "deny" : "ask");
    const small = await check({ input: { command: "cat f1" }, rules: { deny: many, allow: ["Bash"] }, mode });
    expect(small).toMatchObject({ decision: "deny", rule: "Bash(cat *)" });
  },
);

test("a part of a large command is explained as denied when a deny rule was not compared with it", async () => {
  const deny = [...rules(1_900, (at) => `Read(x${at}/**)`), "Bash(cat *)"].map((text) => parseRule(text, "session"));
  const context = {
    mode: "default",
    rules: { allow: [], ask: [], deny },
    cwd: "/ws",
    startCwd: "/ws",
    directories: ["/ws"],
  };
  const files = localFiles();
  const explained = await explainCall(
    "Bash",
    { command: `cat ${words(1_500)}; ls` },
    { ...context, mode: "default", home: "/home/u", configHome: "/home/u/.pawl", files },
  );
  expect(explained).toMatchObject({ decision: "deny", commands: [{ judged: "deny" }, { judged: "allow" }] });
});

test("a long command among as many rules as people have is compared with all of them", async () => {
  const deny = [...rules(120, (at) => `Read(x${at}/**)`), "Bash(rm *)"];
  const command = `echo ${words(800)}`;
  expect(await check({ input: { command }, rules: { deny } })).toMatchObject({ decision: "allow" });
  const removing = await check({ input: { command: `${command}; rm x` }, rules: { deny }, mode: "bypassPermissions" });
  expect(removing).toMatchObject({ decision: "deny", rule: "Bash(rm *)" });
});

test("an allow rule beyond what is compared allows nothing", async () => {
  const allow = [...rules(1_900, (at) => `Bash(x${at} *)`), "Bash(make *)"];
  expect(await check({ input: { command: "make x" }, rules: { allow } })).toMatchObject({ decision: "allow" });
  const long = await check({ input: { command: `make ${words(1_500)}` }, rules: { allow } });
  expect(long.decision).toBe("ask");
});

test.each(["linux", "darwin", "win32"])(
  "a path longer than any system takes is refused at once on %s",
  async (platform) => {
    for (const file_path of ["a/".repeat(MAX_PATH_CHARS), "../".repeat(100_000), `${".".repeat(100_000)}x`]) {
      const answer = await check({ platform, tool: "Write", input: { file_path } });
      expect(answer).toMatchObject({ decision: "deny", error: "invalid_path" });
    }
    expect(await check({ platform, cwd: "/a".repeat(MAX_PATH_CHARS), input: { command: "ls" } })).toMatchObject({
      error: "invalid_request",
    });
  },
);

test("additional directories have a limit together", async () => {
  const additionalDirectories = Array.from({ length: 2_000 }, () => "/x".repeat(1_000));
  expect(await check({ input: { command: "ls" }, additionalDirectories })).toMatchObject({ error: "invalid_request" });
});

test.each(["__proto__", "constructor", "toString(x)", "hasOwnProperty(x:y)"])(
  "a rule about a tool called %s is a rule like others",
  async (rule) => {
    for (const list of ["allow", "ask", "deny"]) {
      const answer = await check({ input: { command: "ls" }, rules: { [list]: [rule] } });
      expect(answer).toMatchObject({ decision: "allow" });
      expect(answer.error).toBeUndefined();
    }
  },
);
