import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { Workspace } from "./support/pawl.ts";

const script = "printf ran > ran.txt";
const steps = [{ answer: [{ tool: "Bash", input: { command: script } }] }, { answer: [{ text: "Done." }] }];

/** A folder whose settings allow what the model calls. */
async function allowing(): Promise<Workspace> {
  const workspace = await Workspace.create();
  const path = workspace.path(".pawl/settings.json");
  await mkdir(dirname(path));
  await writeFile(path, JSON.stringify({ permissions: { allow: ["Bash(printf *)", "Edit(ran.txt)"] } }));
  return workspace;
}

// The home folder holds the user's own settings: the config home is another in these tests, and so must the home be.
const elsewhere = { HOME: "/nonexistent" };

test("headless, what the folder allows is left out and said on stderr; --trust uses it for this run", async () => {
  await using workspace = await allowing();
  const model = await workspace.plays(steps);

  const unknown = await workspace.run(["-p", "go", ...model], "", elsewhere);
  expect(unknown.stderr).toContain(
    `pawl: ${workspace.path(".pawl/settings.json")}: left out: permissions.allow; this workspace has not been trusted.`,
  );
  expect(unknown.stderr).toContain("Bash");
  const trusted = await workspace.run(["-p", "go", "--trust", ...model], "", elsewhere);
  expect(trusted.stderr).toBe("");
  const again = await workspace.run(["-p", "go", ...model], "", elsewhere);
  expect(again.stderr).toBe(unknown.stderr);
});

test("pawl trust lists the folders that are trusted, and takes trust back", async () => {
  await using workspace = await Workspace.create();
  const pawl = (...args: string[]) => workspace.run(args, "", elsewhere);
  expect(await pawl("trust", "list")).toEqual({ code: 0, stdout: "", stderr: "pawl: no folder is trusted\n" });

  await pawl("config", "set", "permissions.allow", '["Bash(printf *)"]', "--scope", "project");
  expect((await pawl("-p", "go", ...(await workspace.plays([{ answer: [{ text: "Done." }] }])))).stderr).toBe("");
  const listed = await pawl("trust", "list");
  expect(listed.stdout).toMatch(new RegExp(`^${workspace.folder}  since \\d{4}-\\d\\d-\\d\\d, entries: 1\n$`));

  expect(await pawl("trust", "revoke")).toMatchObject({
    code: 0,
    stderr: `pawl: no longer trusted: ${workspace.folder}\n`,
  });
  expect(await pawl("trust", "revoke")).toMatchObject({
    code: 1,
    stderr: `pawl: ${workspace.folder} is not trusted\n`,
  });
  expect(await pawl("trust", "list", "--json")).toMatchObject({ code: 0, stdout: "[]\n" });
  expect(await pawl("trust", "everything")).toMatchObject({ code: 2 });
});
