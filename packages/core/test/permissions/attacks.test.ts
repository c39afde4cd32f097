import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isReadOnlyCommand } from "../../src/shell/analysis/read-only/read-only-command.ts";
import { childEnvironment } from "../../src/shell/child-env.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

const hasZsh = spawnSync("zsh", ["-fc", "true"]).status === 0;

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
  for (const folder of ["ws/3", "ws/a", "ws/b", "ws/linked"]) await mkdir(join(workspace.root, folder));
  await workspace.write("ws/3/ls", "#!/bin/sh\n/usr/bin/touch made\n");
  await chmod(join(workspace.root, "ws/3/ls"), 0o755);
  await workspace.write("ws/arguments", "../elsewhere/secret\n");
  await workspace.write("ws/b/x", "x\n");
  await workspace.write("ws/x", "x\n");
  for (const link of ["ws/a/x", "ws/linked/x", "ws/src/secret"]) await workspace.link("../../elsewhere/secret", link);
  await workspace.link("../elsewhere/secret", "ws/p");
  const git = (...args: string[]) => spawnSync("git", args, { cwd: workspace.cwd });
  git("init", "-q");
  git("add", "notes.txt");
});
afterAll(() => workspace.remove());

const behavior = async (...of: Parameters<Workspace["decide"]>) => (await workspace.decide(...of)).behavior;

/** `%` stands for a dollar. */
const written = (line: string) => line.replaceAll("%", "$");

function run(shell: string, line: string) {
  const env = childEnvironment({ PATH: process.env["PATH"], HOME: join(workspace.root, "home") }, false);
  return spawnSync(shell, shell === "zsh" ? ["-fc", line] : ["-c", line], {
    cwd: workspace.cwd,
    env: { ...env },
    input: "",
    encoding: "utf8",
    timeout: 20_000,
  });
}

/** Lines of harmless programs that make the file `made`, by the shell that does it. */
const making: readonly [shell: "bash" | "zsh", line: string][] = [
  // What an unquoted variable holds is more words than one.
  ["bash", "x='5 touch made'; timeout %x ls"],
  ["bash", "x='5 touch made'; nice -n %x ls"],
  ["bash", "x='1 touch made'; echo a | xargs -n %x echo"],
  ["bash", "x='A touch made'; env -u %x ls"],
  ["bash", "x='L touch made'; stdbuf -o %x ls"],
  ["bash", "x='C touch made'; env LANG=%x ls"],
  ["bash", "env LANG=%(echo C touch made) ls"],
  ["bash", "timeout %(echo 5 touch made) ls"],
  ["bash", "x='1 -o made'; sort -k %x notes.txt"],
  ["bash", "x='1 -o made'; shuf -n %x notes.txt"],
  ["bash", `x='a=1 BEGIN{system("touch\\040made")}'; awk -v %x 1 notes.txt`],
  ["bash", 'x=put=made; git diff --out"%x"'],
  ["zsh", `x='5 touch made'; timeout "%=x" ls`],
  ["zsh", `x='-o made'; sort "%=x" notes.txt`],
  // Options that are read differently than they look.
  ["bash", "jobs -x touch made"],
  ["bash", "xxd -ps notes.txt made"],
  ["bash", "xxd -bc notes.txt made"],
  // Something is put into `PATH`.
  ["bash", "printf 'aaa%n' PATH; ls".replace("%", "\0")],
  ["zsh", "read -t PATH <<< ./3; ls"],
  ["zsh", "read -n path <<< ./3; ls"],
  // A text is evaluated.
  ["bash", "read y <<< 'a[%(touch made)]'; a=([y]=1)"],
  ["bash", "read y <<< 'a[%(touch made)]'; a+=([y]=1)"],
  ["zsh", `read y <<< 'a[%(touch made)]'; a=(1 2); x=abc; echo "%x[y]"`],
  ["zsh", "read y <<< 'a[%(touch made)]'; a=(1 2); z=%x[y]"],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; cat <<X\n%a[y]\nX"],
  ["zsh", `a=(1 2); read y <<< 'a[%(touch made)]'; case "%a[y]" in x) ls;; esac`],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; printf \0d y"],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; [ -t y ]"],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; [[ -t y ]]"],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; exit y"],
  ["zsh", "a=(1 2); read y <<< 'a[%(touch made)]'; exit \"%y\""],
  ["zsh", "a=(1 2); exit 'a[%(touch made)]'"],
  ["zsh", "a=(1 2); shift 'a[%(touch made)]'"],
  ["zsh", "a=(1 2); for i in 1; do break 'a[%(touch made)]'; done"],
];

describe("what would run or write something behind harmless programs is asked about", () => {
  test.each(making)("%s: %s", async (shell, line) => {
    const command = written(line).replaceAll("\0", "%");
    expect(await behavior(command)).toBe("ask");
    expect(isReadOnlyCommand(command)).toBe(false);
    if (shell === "zsh" && !hasZsh) return;
    run(shell, command);
    expect(await workspace.isMissing("ws/made")).toBe(false); // the line does what it is feared for
    await rm(join(workspace.cwd, "made"));
  });

  test.each([
    ["rg --files -0 | xargs -0 rg TODO"], // a folder may be called `--pre=x`
    ["rg -l -0 add | xargs -0 grep TODO"],
    ["rg --p*/* x"],
    ["rg -*/* x"],
    ["grep -rS x ."],
    ["arch -x86_64 touch made"],
    ["base64 -o made notes.txt"],
    ["base64 -i notes.txt -o made"],
    ["sed -l -i '' s/a/b/ notes.txt"],
    ["tree -Lo 1 made"], // each letter of a cluster takes a word of its own
    ["tree -Po x made"],
    ["tree -aIo x made"],
    ["rg -0z x"],
    ["rg -.z x"],
    ["git log --help"],
    ["git --no-pager status --help"],
    ["git whatchanged"], // git's newest versions let an alias stand for it
    ["git tag --sort=signature"],
    ["git branch --sort=signature"],
    ["timeout %x ls"],
    ['timeout "%x" ls'],
    ["timeout * ls"],
    ["env LANG=* ls"],
    ["sort -k * notes.txt"],
    ["export npm_config_script_shell=./x"],
    ["sh -c 'export a=%x; ls'"],
    [": %{path:=x}"],
    ["ps -auxe"],
    ["ps -aex"],
    ["ps -x -e"],
    ["ps -ef -x"],
  ])("%s", async (line) => {
    expect(await behavior(written(line))).toBe("ask");
  });
});

describe("a file elsewhere is not read through harmless programs", () => {
  test.each([
    ["x='-R . ../elsewhere/secret'; jq %x"],
    ["echo '-R . ../elsewhere/secret' | xargs jq"],
    ["x='else ../elsewhere/secret'; grep -- %x notes.txt"],
    ["find . -exec cat {} \\; -type f"],
    ["find . -exec echo -type f \\; -exec cat {} \\;"],
    ["find . -print0 -type f -print0 | xargs -0 cat"],
    ["grep -5R elsewhere ."],
    ["grep -n0R elsewhere ."],
    ["strings @arguments"],
    ["diff a b"],
    ["sed -e p -- -e p"],
    ["echo elsewhere | grep -xfp"],
  ])("%s", async (line) => {
    const command = written(line);
    expect(await behavior(command)).toBe("ask");
    expect(run("bash", command).stdout).toContain("elsewhere"); // the line does what it is feared for
  });

  test.each([
    ["rg -0L x"],
    ["rg -.L x"],
    ["ls -LR"],
    ["ls -R --dereference"],
    ["du -aL"],
    ["du --dereference"],
    ["strings *"],
    ["jq -nf program.jq"],
    ["jq %x package.json"],
    ["grep * notes.txt"],
    ["grep -r x .*"],
  ])("%s", async (line) => {
    expect(await behavior(written(line))).toBe("ask");
  });
});

describe("copying does not write through a link that lies where it copies to", () => {
  test.each(["cp x linked", "cp x linked/", "cp -r b/. linked", "cp -t linked x", "cp -r b x linked"])(
    "%s",
    async (line) => {
      expect(await behavior(line, "", "acceptEdits")).toBe("ask");
    },
  );

  test("the file that the link leads to would be changed", async () => {
    const file = join(workspace.root, "elsewhere/secret");
    const before = await readFile(file, "utf8");
    run("bash", "cp x linked");
    expect(await readFile(file, "utf8")).toBe("x\n");
    await workspace.write("elsewhere/secret", before);
  });

  test.each(["cp -rL a copy", "cp --dereference -r a copy"])("nor read through one: %s", async (line) => {
    expect(await behavior(line, "", "acceptEdits")).toBe("ask");
  });

  test.each(["cp x b", "cp -r src copy", "cp -r b docs", "cp x new"])("%s goes on unasked", async (line) => {
    expect(await behavior(line, "", "acceptEdits")).toBe("allow");
  });
});

describe("a denied program is not started by another one in a mode that asks nothing", () => {
  test.each([
    ["x='-exec rm notes.txt ;'; find . -maxdepth 0 %x"],
    ["echo '-exec rm notes.txt ;' | xargs find . -maxdepth 0"],
    [`x='import os;os.system("rm notes.txt")'; python3 -c "%x"`],
    ["git grep -Orm two"],
    ["git grep --open-files-in-pager=rm two"],
    ["git config diff.external 'rm notes.txt'; git diff"],
    ["export GIT_EXTERNAL_DIFF='rm notes.txt'; git diff"],
    ["GIT_EXTERNAL_DIFF='rm notes.txt' git diff"],
    ["GIT_EDITOR='rm notes.txt'; git commit"],
    ["git ls-remote --upload-pack='rm notes.txt;' ."],
    ["git clone -u 'rm notes.txt;' . copy"],
    ["git ls-remote 'ext::rm notes.txt'"],
    ["npm pkg set scripts.x='rm notes.txt' && npm run x"],
    ["apt-get -o APT::Update::Pre-Invoke::='rm notes.txt' update"],
    ["wget --use-askpass=rm example.com"],
    ["BASH_CMDS=([ls]=/bin/rm); ls notes.txt"],
    ["shopt -s expand_aliases; BASH_ALIASES=([ls]=rm)\nls notes.txt"],
    ["x='5 rm notes.txt'; timeout %x ls"],
  ])("%s", async (line) => {
    expect(await behavior(written(line), "deny Bash(rm *)", "bypassPermissions")).not.toBe("allow");
  });
});

test.each([
  ["ps -ef"],
  ["ps -eo pid"],
  ["ps aux"],
  ["xxd -l 16 notes.txt"],
  ["xxd -p notes.txt"],
  ["base64 -d notes.txt"],
  ["jq '.[\"a\"]' package.json"],
  ["diff src test"],
  ["exit 1"],
  ["exit %?"],
  ["read -r -n 1 x"],
  ["timeout 5 ls"],
  ["find . -type f -print0 | xargs -0 rg TODO"],
  ['x=1; echo "%x[0]"'],
])("still harmless: %s", async (line) => {
  await rm(join(workspace.cwd, "src/secret"), { force: true });
  expect(await behavior(written(line))).toBe("allow");
});
