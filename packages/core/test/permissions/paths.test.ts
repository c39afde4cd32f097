import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeWorkspace, type Workspace } from "./workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
  await workspace.link(join(workspace.root, "elsewhere"), "ws/out");
  await workspace.link(join(workspace.root, "elsewhere/secret"), "ws/docs/linked.md");
  await workspace.link(join(workspace.root, "elsewhere/not-yet"), "ws/dangling");
  await workspace.link(join(workspace.root, "ws/src"), "ws/inner");
  await workspace.link(workspace.cwd, "to-ws");
  await mkdir(join(workspace.root, "ws/caf\u00e9"));
  await mkdir(join(workspace.root, "ws/nested/.git"), { recursive: true });
  await mkdir(join(workspace.root, "ws/nested/below"));
  await mkdir(join(workspace.root, "ws/bare"));
  await workspace.write("ws/bare/HEAD", "ref: refs/heads/main\n");
});
afterAll(() => workspace.remove());

const behavior = async (...of: Parameters<Workspace["decide"]>) => (await workspace.decide(...of)).behavior;

test.each([
  ["cat $ROOT/ws-beside/secret", "a folder whose name begins like the workspace's"],
  ["cat ../ws-beside/secret", "the same, relative"],
  ["cat $ROOT/elsewhere/secret", "an absolute path"],
  ["cat out/secret", "a link in the middle"],
  ["cat docs/linked.md", "a link at the end"],
  ["cat docs/*.md", "a link that a pattern matches"],
  ["cat */secret", "a link in the middle that a pattern matches"],
  ["cat out/*", "a pattern behind a link"],
  ["grep -r secret out/", "a folder behind a link"],
  ["grep -R secret .", "links that a search follows"],
  ["find -L . -type f", "links that find follows"],
  ["rg -L secret", "links that rg follows"],
  ["find . -exec cat {} +", "links that find hands on"],
  ["find . -type f | xargs cat", "names with blanks that xargs takes apart"],
  ["cat src/../../elsewhere/secret", "dots that lead out"],
  ["cat out/../elsewhere/secret", "dots after a link"],
  ["cat ~/.profile", "the home folder"],
  ["cat $HOME/.profile", "the home folder by its variable"],
  ['cat "$HOME/.profile"', "the same in quotes"],
  ["cat ~root/.profile", "the home folder of another user"],
  ["cat $X", "a variable"],
  ["cd out && cat secret", "a folder that the command enters"],
  ["cd ..; cat elsewhere/secret", "a folder above"],
  ["cd $X && cat secret", "a folder that is not known"],
  ["(cd ../elsewhere; cat secret)", "a folder entered in a subshell"],
  ["pushd ../elsewhere && cat secret", "a folder that is pushed"],
  ['for f in ../elsewhere/*; do cat "$f"; done', "a loop over another folder"],
  ["cat < ../elsewhere/secret", "a redirection"],
  ["cat < out/secret", "a redirection through a link"],
  ["cat < /dev/tcp/example.com/80", "a network address of bash"],
  ["while read -r l; do echo $l; done < ../elsewhere/secret", "a redirection of a loop"],
  ["wc -l $(find / -name x)", "names out of a substitution"],
  ["grep x --file=../elsewhere/secret src/index.ts", "an option's value"],
  ["grep -f../elsewhere/secret src/index.ts", "an option with its value attached"],
  ["git diff --no-index README.md ../elsewhere/secret", "a comparison by git"],
  ["git -C ../elsewhere log", "another repository"],
  ["cd nested && git status", "a repository in another folder"],
  ["git -C nested/below log", "the same, further down"],
  ["cd bare && git log", "a repository without files"],
  ["cd out && git log", "a link to another folder"],
  ["tar -tf ../x.tar", "an archive elsewhere"],
  ["cat /proc/self/environ", "the process's own environment"],
])("reading is asked about: %s (%s)", async (command) => {
  expect(await behavior(command)).toBe("ask");
});

test.each([
  ["cat $ROOT/ws/README.md"],
  ["cat $ROOT/to-ws/README.md"],
  ["cat ./src/../README.md"],
  ["cat inner/index.ts"],
  ["cat inner/*.ts"],
  ["ls ~/../ws"],
  ["cd src && cat ../README.md"],
  ["cd src/lib; cat add.ts"],
  ["cd $ROOT/ws/src && ls"],
  ["cat dangling-not"],
  ["cat < notes.txt"],
  ["grep -rn x . 2> /dev/null"],
  ["cat *.md < /dev/null"],
  ["find . -type f -exec cat {} +"],
  ["find . -type f -print0 | xargs -0 cat"],
])("reading inside is not: %s", async (command) => {
  // `~` of these tests lies beside the workspace.
  expect(await behavior(command)).toBe("allow");
});

test.each([
  ["echo x > $ROOT/ws-beside/new"],
  ["echo x > ../new"],
  ["echo x > out/new"],
  ["echo x >> docs/linked.md"],
  ["echo x > dangling"],
  ["echo x > ~/new"],
  ["echo x > $X"],
  ["echo x > *.txt"],
  ["cd out && touch new"],
  ["cd $X; touch new"],
  ["cd src || cd out; touch new"],
  ["touch out/new"],
  ["cp notes.txt out/"],
  ["cp -t out notes.txt"],
  ["cp --target-directory=../elsewhere notes.txt"],
  ["mv notes.txt dangling"],
  ["mkdir -p out/deep/er"],
  ["rm out/secret"],
  ["rm docs/../../elsewhere/secret"],
  ["sed -i s/a/b/ docs/linked.md"],
  ["ls | tee out/new"],
  ["ln -s ../elsewhere l && touch l/x"],
  ["mv out other && touch other/x"],
])("in acceptEdits writing outside is asked about: %s", async (command) => {
  expect(await behavior(command, "", "acceptEdits")).toBe("ask");
});

test.each([
  ["echo x > new"],
  ["cd src && echo x > new"],
  ["mkdir -p a/b && touch a/b/c"],
  ["cp notes.txt src/"],
  ["rm -rf src/lib"],
  ["echo x > inner/new"],
  ["grep -n TODO src/index.ts > found.txt"],
  ['for f in a b; do touch "src/$f"; done'],
])("in acceptEdits writing inside is allowed: %s", async (command) => {
  expect(await behavior(command, "", "acceptEdits")).toBe("allow");
  expect(await behavior(command)).toBe("ask");
});

test.each([
  ["echo x > new", "allow"],
  ["echo x > ~/new", "ask"],
  ["echo x > $HOME/new", "ask"],
  ["echo x > *.txt", "ask"],
])(
  "a redirection to a tilde or a pattern is asked about, whatever may be written: %s, %s",
  async (command, expected) => {
    expect(await behavior(command, "allow Bash(echo *); allow Edit")).toBe(expected);
  },
);

describe("a path that a rule denies is denied under every name", () => {
  test.each([
    ["cat .env"],
    ["cat ./.env"],
    ["cat src/../.env"],
    ["cat $ROOT/ws/.env"],
    ["cat .ENV"],
    ['cat ".e"nv'],
    ["cat .{env,x}"],
    ["cd src && cat ../.env"],
    ["cd src; cat ../.env"],
    ["head -n1 < .env"],
    ["cp .env x"],
    ["mv .env x"],
    ["bash -c 'cat .env'"],
    ["echo $(cat .env)"],
    ["timeout 5 cat .env"],
    ["find . -maxdepth 0 -exec cat .env \\;"],
    ["echo x > .env"],
    ["for f in .env; do cat $f; done"],
  ])("%s", async (command) => {
    expect(await behavior(command, "allow Bash; deny Read(.env)", "bypassPermissions")).toBe("deny");
  });

  test.each([["cat .e*"], ["cat .?nv"], ["cat $X"], ["cat $(ls -a)"], ["cd $X && cat y"], ["X=.env; cat $X"]])(
    "what may be it is asked about: %s",
    async (command) => {
      expect(await behavior(command, "allow Bash; deny Read(.env)", "bypassPermissions")).toBe("ask");
    },
  );

  test.each([["cat *.md"], ["cat .envrc.sample"], ["cat README.md"], ["ls -la"]])("%s is another", async (command) => {
    expect(await behavior(command, "deny Read(.env)")).toBe("allow");
  });

  test("a search through folders that may hold it is not for the mode to allow", async () => {
    expect(await behavior("grep -rn SECRET .", "deny Read(.env)")).toBe("ask");
    expect(await behavior("grep -rn SECRET .")).toBe("allow");
  });
});

test("letters with accents are the same composed and decomposed", async () => {
  for (const name of ["caf\u00e9", "cafe\u0301"]) {
    expect(await behavior(`cat ${name}/x`, "deny Read(caf\u00e9/**)", "bypassPermissions")).toBe("deny");
    expect(await behavior(`cat ${name}/x`, "deny Read(cafe\u0301/**)", "bypassPermissions")).toBe("deny");
  }
});

describe("protected places, none of which is there at the start", () => {
  test.each([
    ["echo x > .git/hooks/pre-commit"],
    ["mkdir .git"],
    ["mkdir -p .git/hooks && echo x > .git/hooks/pre-commit"],
    ["cd .git/hooks && echo x > pre-commit"],
    ["echo x >> .bashrc"],
    ["tee .npmrc"],
    ["cp notes.txt .vscode/tasks.json"],
    ["mv notes.txt .mcp.json"],
    ["ln -s x .envrc"],
    ["echo x > .GIT/config"],
    ["echo x > .g\u200cit/config"],
    ["touch src/.husky/x"],
    ["sed -i s/a/b/ .pawl/settings.json"],
    ["bash -c 'echo x > .git/config'"],
    ["echo x | tee -a .zshrc"],
    ["dd if=notes.txt of=.git/config"],
    ["rm -rf .git"],
    ["cp x .gi*/config"],
    ["tee {.git/config,x} < notes.txt"],
    ["find . -exec cp {} .git/hooks/ \\;"],
    ["ln -s .git g && echo x > g/config"],
  ])("%s is asked about, whatever is allowed", async (command) => {
    expect(await behavior(command, "allow Bash; allow Edit")).toBe("ask");
    expect(await behavior(command, "allow Bash", "acceptEdits")).toBe("ask");
  });
});

test("a link that takes a folder's place between two calls is seen by the second", async () => {
  await mkdir(join(workspace.root, "ws/later"));
  expect(await behavior("touch later/x", "", "acceptEdits")).toBe("allow");
  await rename(join(workspace.root, "ws/later"), join(workspace.root, "ws/earlier"));
  await workspace.link(join(workspace.root, "elsewhere"), "ws/later");
  expect(await behavior("touch later/x", "", "acceptEdits")).toBe("ask");
  await rm(join(workspace.root, "ws/later"));
});
