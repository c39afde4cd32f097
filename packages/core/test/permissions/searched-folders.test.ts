import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWorkspace, type Workspace } from "./workspace.ts";

/** `.env` stands in the workspace, and nowhere below it. */
let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

const behavior = async (...of: Parameters<Workspace["decide"]>) => (await workspace.decide(...of)).behavior;

describe("a search through folders that hold a file nobody may read is asked about, whatever the mode", () => {
  test.each([
    "grep -r SECRET .",
    "grep -rn SECRET",
    'grep -rn "$PATTERN" .',
    "grep -r -A 3 SECRET",
    "grep -re SECRET .",
    "rg SECRET -uu",
    "rg --hidden SECRET .",
    "diff -r . ../elsewhere",
    "cd src && grep -r SECRET ..",
    "true && timeout 5 grep -R SECRET ./",
    'bash -c "grep -r SECRET ."',
    "grep -r SECRET $DIR",
    "grep -r SECRET *",
    "grep -r --include=.e* SECRET .",
    "grep -r --include=$X SECRET .",
    "grep -r --regexp=SECRET . src",
    "grep -r --file=list . src",
    "rg -ur replaced SECRET",
  ])("%s", async (line) => {
    expect(await behavior(line, "deny Read(.env)", "bypassPermissions")).toBe("ask");
    expect(await behavior(line, "deny Read(.env); allow Bash")).toBe("ask");
    expect(await behavior(line, "", "bypassPermissions")).toBe("allow");
  });
});

test("a link in the folder is looked through", async () => {
  const other = await makeWorkspace();
  await mkdir(join(other.cwd, "linked"));
  await other.link("../.env", "ws/linked/settings");
  const decision = await other.decide("grep -R SECRET linked", "deny Read(.env)", "bypassPermissions");
  await other.remove();
  expect(decision.behavior).toBe("ask");
});

describe("so is taking such a folder elsewhere", () => {
  test.each([
    "cp -r . ../copy",
    "cp -a src/.. copy",
    "mv ../ws ../ws2",
    "ln -s . here",
    "tar czf ../all.tgz .",
    "zip -r ../all.zip .",
    "rsync -a ./ ../copy",
    "cp -r * .* ../copy",
  ])("%s", async (line) => {
    for (const mode of ["acceptEdits", "bypassPermissions"] as const)
      expect(await behavior(line, "deny Read(.env)", mode)).toBe("ask");
    expect(await behavior(line, "deny Read(.env); allow Bash")).toBe("ask");
  });

  test.each(["mv src src2", "rm -rf src", "chmod -R a-w src", "rm -rf src docs"])(
    "or changing it: %s",
    async (line) => {
      expect(await behavior(line, "deny Edit(./src/lib/**)", "bypassPermissions")).toBe("ask");
      expect(await behavior(line, "deny Edit(./src/lib/**)", "acceptEdits")).toBe("ask");
      expect(await behavior(line, "deny Edit(./docs/none/**)", "bypassPermissions")).toBe("allow");
    },
  );

  test.each(["cp -r src copy", "mv docs doc", "tar czf src.tgz src", "cp notes.txt copy.txt"])(
    "but not a folder without it: %s",
    async (line) => {
      expect(await behavior(line, "deny Read(.env)", "bypassPermissions")).toBe("allow");
    },
  );
});

describe("one that comes upon no such file is not", () => {
  test.each([
    "grep -r SECRET src",
    "grep -rn --include=*.ts SECRET .",
    "rg SECRET",
    "rg -n SECRET .",
    "cd src && grep -r SECRET .",
    "diff -r src docs",
    "grep SECRET notes.txt",
  ])("%s", async (line) => {
    expect(await behavior(line, "deny Read(.env)", "bypassPermissions")).toBe("allow");
    expect(await behavior(line, "deny Read(.env); allow Bash")).toBe("allow");
  });

  test("but by a rule for a folder that it does search", async () => {
    expect(await behavior("grep -r x src", "deny Read(./src/lib/**)", "bypassPermissions")).toBe("ask");
    expect(await behavior("grep -r x docs", "deny Read(./src/lib/**)", "bypassPermissions")).toBe("allow");
    expect(await behavior("grep -r --exclude-dir=lib x src", "deny Read(./src/lib/**)", "bypassPermissions")).toBe(
      "allow",
    );
  });
});
