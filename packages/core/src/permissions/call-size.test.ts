import { expect, test } from "vitest";
import { MAX_COMPARED } from "./call-size.ts";
import { checkPermission } from "./check.ts";
import { MAX_PATH_CHARS } from "./check-request.ts";

const words = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`).join(" ");
const rules = (count: number, rule: (at: number) => string) => Array.from({ length: count }, (_, at) => rule(at));
const check = (more: Record<string, unknown>) =>
  checkPermission({ tool: "Bash", cwd: "/ws", home: "/home/u", ...more });

test("more files of a command times rules than are compared are asked about", async () => {
  const deny = rules(MAX_COMPARED / 1_000, (at) => `Read(x${at}/**)`);
  const answer = await check({ input: { command: `cat ${words(1_000)}` }, rules: { deny }, mode: "bypassPermissions" });
  expect(answer).toMatchObject({ decision: "ask", rule: expect.stringMatching(/^Read\(x\d+/) });
});

test("a long command among as many rules as people have is compared with all of them", async () => {
  const deny = [...rules(200, (at) => `Read(x${at}/**)`), "Bash(rm *)"];
  const command = `echo ${words(60)}`;
  expect(await check({ input: { command }, rules: { deny } })).toMatchObject({ decision: "allow" });
  const removing = await check({ input: { command: `${command}; rm x` }, rules: { deny }, mode: "bypassPermissions" });
  expect(removing).toMatchObject({ decision: "deny", rule: "Bash(rm *)" });
});

test("an allow rule beyond what is compared allows nothing", async () => {
  const allow = [...rules(1_900, (at) => `Bash(x${at} *)`), "Bash(make *)"];
  expect(await check({ input: { command: "make x" }, rules: { allow } })).toMatchObject({ decision: "allow" });
  const long = await check({ input: { command: `make ${words(1_000)}` }, rules: { allow } });
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
