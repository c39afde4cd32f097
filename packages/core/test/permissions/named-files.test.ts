import { spawnSync } from "node:child_process";
import { copyFile, mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { localFiles } from "../../src/files/local-files.ts";
import { decidePermission } from "../../src/permissions/decide.ts";
import { canTrace, traceCommand } from "./jail.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

let workspace: Workspace;
const inside = (path: string) => join(workspace.cwd, path);

/** Programs that pack, and whether they are here. */
const packers = ["gzip", "bzip2", "xz", "zstd"].filter((name) => spawnSync(name, ["--version"]).status === 0);

beforeAll(async () => {
  workspace = await makeWorkspace();
  const tar = (...args: string[]) => spawnSync("tar", args, { cwd: workspace.cwd });
  tar("-cf", "plain.tar", "notes.txt");
  for (const packer of packers) tar("-c", `--${packer}`, "-f", `${packer}.tar`, "notes.txt");
  await workspace.write("ws/text.tar", "no archive\n".repeat(100));
  await workspace.write("ws/list", "../elsewhere/secret\n");
  await workspace.write("ws/list0", "../elsewhere/secret\0");
  await mkdir(inside("3"));
  await workspace.write("ws/3/-R", "");
  await workspace.link("../../elsewhere/secret", "ws/3/link");
});
afterAll(() => workspace.remove());

const behavior = async (...of: Parameters<Workspace["decide"]>) => (await workspace.decide(...of)).behavior;

const run = (line: string) => spawnSync("bash", ["-c", line], { cwd: workspace.cwd, encoding: "utf8", input: "" });

describe("an archive is listed unasked only where nothing has to be unpacked", () => {
  test.each(packers)("one packed by %s under a plain name starts it, and is asked about", async (packer) => {
    expect(await behavior(`tar tf ${packer}.tar`)).toBe("ask");
    if (!canTrace()) return;
    const { programs } = await traceCommand(`tar tf ${packer}.tar; true`, workspace.cwd, workspace.root);
    expect(programs).toContain(packer);
  });

  test("what is no archive, what a pattern matches, and another machine's are asked about", async () => {
    for (const line of ["tar tf text.tar", "tar tf *.tar", "tar tf plain.ta?", "tar tf host:x.tar"]) {
      expect([line, await behavior(line)]).toEqual([line, "ask"]);
    }
  });

  test("a plain one goes on unasked, and so does one that is not there", async () => {
    for (const line of [
      "tar tf plain.tar",
      "tar -tvf plain.tar",
      "cd src && tar tf ../plain.tar",
      "tar tf missing.tar",
    ]) {
      expect([line, await behavior(line)]).toEqual([line, "allow"]);
    }
  });

  test("one whose first member is named like a packed file is asked about", async () => {
    await copyFile(inside("notes.txt"), inside("BZh91"));
    spawnSync("tar", ["-cf", "named.tar", "BZh91"], { cwd: workspace.cwd });
    await rename(inside("BZh91"), inside("renamed"));
    expect(await behavior("tar tf named.tar")).toBe("ask");
  });
});

describe("a file that names other files is not followed unasked", () => {
  test.each([
    ["wc --files0-from=list0"],
    ["wc --files0-from list0"],
    ["wc --fil=list0"],
    ["cat list0 | wc --files0-from=-"],
    ["du --files0-from=list0"],
    ["cd 3 && grep elsewhere *"],
  ])("%s", async (line) => {
    expect(await behavior(line)).toBe("ask");
    expect(run(line).stdout).toMatch(/elsewhere/); // the line does what it is feared for
  });

  test.each([
    ["sha256sum -c list"],
    ["md5sum --check list"],
    ["cksum -c list"],
    ["b2sum -wc list"],
    ["sha1sum --ch list"],
    ["file -f list"],
    ["sort --files0-from=list0"],
    ["diff --from-file=list notes.txt"],
    ["pgrep -F ../elsewhere/secret"],
    ["pgrep --pidfile=../elsewhere/secret"],
    ["rg --files -0 | xargs -0 wc -l"],
    ["lscpu --sysroot /root"],
    ["whereis -B /root -f x"],
  ])("%s", async (line) => {
    expect(await behavior(line)).toBe("ask");
  });

  test.each([
    ["wc -l *"],
    ["cd src && wc -l *"],
    ["du -sh ./*"],
    ["md5sum *.txt"],
    ["find src -type f -print0 | xargs -0 sha256sum"],
    ["pgrep -fl node"],
    ["grep -f list notes.txt"],
  ])("still harmless: %s", async (line) => {
    expect(await behavior(line)).toBe("allow");
  });
});

describe("where zsh runs the line, what it may take for a pattern counts as one", () => {
  const inZsh = async (command: string, rules = "", mode: "default" | "acceptEdits" = "default") => {
    const touches = [{ type: "command" as const, command }];
    const request = { tool: "Bash", input: { command }, touches, isReadOnly: false };
    const context = { ...workspace.contextOf(rules, mode), shell: "zsh" as const, files: localFiles() };
    return (await decidePermission(request, context)).behavior;
  };

  test.each([
    ["cat ^x"],
    ["cat x~y"],
    ["cat x#"],
    ["cat src/^x"],
    ["cat < ^x"],
    ["wc -l *~x"],
    ["git log ^x"],
    ["grep -n a x~y"],
  ])("%s", async (line) => {
    expect(await inZsh(line)).toBe("ask");
  });

  test("also in a mode that edits, and for a rule that keeps files from being read", async () => {
    expect(await inZsh("rm ^x", "", "acceptEdits")).toBe("ask");
    expect(await inZsh("ls > a~b", "", "acceptEdits")).toBe("ask");
    expect(await inZsh("cat ^x", "deny Read(./secret/**); allow Bash(cat *)")).toBe("ask");
  });

  test.each([
    ["cat '^x'"],
    ["cat \\^x"],
    ["cat ~+"],
    ["git show HEAD^"],
    ["git diff HEAD~1"],
    ["sed 's#a#b#' notes.txt"],
    ["ls # x"],
  ])("%s is none", async (line) => {
    expect(await inZsh(line)).toBe("allow");
  });

  test("bash takes it as it is written", async () => {
    expect(await behavior("cat notes.txt~")).toBe("allow");
    expect(await behavior("rm notes.txt~", "", "acceptEdits")).toBe("allow");
  });
});
