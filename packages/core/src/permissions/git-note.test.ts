import { expect, test } from "vitest";
import { localFiles } from "../files/local-files.ts";
import type { PermissionContext } from "./context.ts";
import { decidePermission } from "./decide.ts";

const decide = (command: string, programs: readonly string[]) => {
  const context: PermissionContext = {
    mode: "default",
    rules: { allow: [], ask: [], deny: [] },
    cwd: "/ws",
    startCwd: "/ws",
    directories: ["/ws"],
    home: "/home/a",
    configHome: "/home/a/.pawl",
    files: localFiles(),
    gitPrograms: async () => programs,
  };
  const touches = [{ type: "command" as const, command }];
  return decidePermission({ tool: "Bash", input: { command }, touches, isReadOnly: true }, context);
};

const programs = ["/ws/.git/config: core.fsmonitor"];

test.each(["git status", "ls && git diff | head -3", "timeout 5 git log -p"])(
  "%s is free where git starts nothing, and asked about with the reason where it may",
  async (command) => {
    expect(await decide(command, [])).toMatchObject({ behavior: "allow" });
    expect(await decide(command, programs)).toMatchObject({
      behavior: "ask",
      because: { reason: expect.stringContaining("git start something (/ws/.git/config: core.fsmonitor).") },
    });
  },
);

test("other commands are free there too, and what is asked anyway has no such reason", async () => {
  expect(await decide("ls", programs)).toMatchObject({ behavior: "allow" });
  const asked = await decide("git push", programs);
  expect(asked).toMatchObject({ behavior: "ask", because: { reason: expect.not.stringContaining("start something") } });
});
