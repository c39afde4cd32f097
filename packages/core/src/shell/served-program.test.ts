import { once } from "node:events";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { isAlive } from "../../test/support/is-alive.ts";
import { type LocalShell, localShell } from "./run.ts";

async function served(shell: LocalShell, command: string) {
  const program = await shell.serve({ file: "/bin/sh", args: ["-c", command], cwd: tmpdir(), env: { WORD: "hello" } });
  if ("failure" in program) throw new Error(program.failure);
  return program;
}

test("a served program reads what it is given and answers, and its end is told with its last words", async () => {
  const shell = localShell({ env: process.env });
  const program = await served(shell, 'read line; echo "$WORD $line"; echo trouble >&2; exit 7');
  program.stdin.write("you\n");
  const [chunk] = await once(program.stdout, "data");

  expect(String(chunk)).toBe("hello you\n");
  expect(await program.ended).toEqual({ exitCode: 7, killedBy: null, stderr: "trouble" });
  program.stdin.write("to nobody\n");
  await shell.close();
});

const deaf = "trap '' TERM; echo $$; while :; do sleep 1; done";

test("a served program ends when it is stopped and when the shell is closed, whatever it ignores", async () => {
  const shell = localShell({ env: process.env });
  const first = await served(shell, deaf);
  const second = await served(shell, deaf);
  const chunks = await Promise.all([once(first.stdout, "data"), once(second.stdout, "data")]);
  const pids = chunks.map(([chunk]) => Number(chunk));
  first.stop();
  first.stop();

  expect((await first.ended).exitCode).toBe(null);
  expect(pids.map(isAlive)).toEqual([false, true]);
  await shell.close();
  expect(pids.map(isAlive)).toEqual([false, false]);
  expect(await shell.serve({ file: "/bin/sh", args: [], cwd: tmpdir() })).toEqual({
    failure: expect.stringContaining("The session is ending"),
  });
});

test.each([
  ["/nowhere/program", "was not found"],
  ["/etc/passwd", "permission denied"],
  ["", "could not be started"],
])("the program %j is a failure in words", async (file, why) => {
  const shell = localShell({ env: process.env });
  expect(await shell.serve({ file, args: [], cwd: tmpdir() })).toEqual({ failure: expect.stringContaining(why) });
  await shell.close();
});
