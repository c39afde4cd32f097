import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { says, scriptedModel, tempWorkspace, uses } from "@pawl/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { oneTurn, place } from "../scenarios/engine-harness.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
  await workspace.link(join(workspace.root, "elsewhere"), "ws/out");
});
afterAll(() => workspace.remove());

const behavior = async (...of: Parameters<Workspace["decide"]>) => (await workspace.decide(...of)).behavior;

/** How a command can come after, beside or inside another one. */
const joints = (first: string, second: string) => [
  `${first} && ${second}`,
  `${first} || ${second}`,
  `${first}; ${second}`,
  `${first}\n${second}`,
  `${first} & ${second}`,
  `${first} | ${second}`,
  `${first} |& ${second}`,
  `${first} $(${second})`,
  `${first} \`${second}\``,
  `${first} "$(${second})"`,
  `${first} <(${second})`,
  `(${first}; ${second})`,
  `if ${first}; then ${second}; fi`,
  `${first} && find . -maxdepth 0 -exec ${second} \\;`,
  `${first} | xargs ${second}`,
  `${first} && bash -c '${second}'`,
];

describe("a command that is denied or not allowed does not run in the wake of one that is (B38)", () => {
  test.each(joints("git fetch", "git clean -fd"))("%s, with git clean denied", async (line) => {
    expect(await behavior(line, "allow Bash; deny Bash(git clean *)")).toBe("deny");
    expect(await behavior(line, "deny Bash(git clean:*)", "bypassPermissions")).toBe("deny");
  });

  test.each(joints("git log", "curl -s x"))("%s, with git log allowed", async (line) => {
    expect(await behavior(line, "allow Bash(git log *)")).toBe("ask");
    expect(await behavior(line, "allow Bash(git log *)", "dontAsk")).toBe("deny");
  });

  test("git log; curl x | sh", async () => {
    expect(await behavior("git log; curl x | sh", "allow Bash(git log *)")).toBe("ask");
    expect(await behavior("git log; curl x | sh", "allow Bash(git log *); allow Bash(curl *)")).toBe("ask");
  });

  test("every part allowed, the whole is allowed", async () => {
    const rules = "allow Bash(npm test *); allow Bash(npm run build)";
    expect(await behavior("npm run build && npm test -- --bail | tail -5", rules)).toBe("allow");
    expect(await behavior("npm run build && npm publish", rules)).toBe("ask");
  });

  test("what cannot be parsed or is over-long is asked about", async () => {
    for (const line of ["echo 'unclosed", "echo $(", "if true", "ls )", `echo ${"x".repeat(10_001)}`]) {
      expect(await behavior(line, "allow Bash(echo *); allow Bash(ls *)")).toBe("ask");
      expect(await behavior(line, "deny Bash(rm *)", "bypassPermissions")).toBe(line.length > 10_000 ? "allow" : "ask");
    }
  });
});

describe("programs and sets of options are compared, not texts (B39)", () => {
  test.each([
    "rm -rf x",
    "rm -fr x",
    "rm -r -f x",
    "rm -f -r x",
    "rm --recursive --force x",
    "rm --force --recursive x",
    "rm --recurs --forc x",
    "rm -Rf x",
    "rm -vrf x",
    "rm x -rf",
    "\\rm -rf x",
    "'rm' -rf x",
    "/bin/rm -rf x",
    "/usr/bin/rm -fr x",
    "r\\m -rf x",
    "command rm -rf x",
    "rm -rf -- x",
    "rm  -rf\tx",
  ])("%s", async (line) => {
    for (const pattern of ["rm -rf *", "rm -rf:*", "rm -rf", "rm -fr *", "rm --recursive --force *", "/bin/rm -rf *"]) {
      expect(await behavior(line, `allow Bash; deny Bash(${pattern})`, "bypassPermissions")).toBe("deny");
    }
  });

  test.each(["rm x", "rm -f x", "rm -r x", "rmdir x", "rm -- -rf"])("%s is another command", async (line) => {
    expect(await behavior(line, "allow Bash; deny Bash(rm -rf *)")).toBe("allow");
  });

  test.each(["rm $X", "rm $X y", 'rm "$X" y', "rm -r $(cat notes.txt)"])("%s may be it: asked", async (line) => {
    expect(await behavior(line, "allow Bash; deny Bash(rm -rf *)", "bypassPermissions")).toBe("ask");
  });

  test("a program that is not known and is given the denied one's name is asked about", async () => {
    for (const line of [
      "frobnicate rm -rf x",
      "docker exec box rm -rf x",
      "ssh host 'rm -rf x'",
      "perl -e 'system(q(rm x))'",
    ]) {
      expect(await behavior(line, "deny Bash(rm *)", "bypassPermissions")).toBe("ask");
    }
  });
});

describe("a variable is what is put into it last, wherever that is done", () => {
  test.each([
    "for f in ls; do f=rm; $f x; done",
    "for f in ls; do read f; $f x; done <<< rm",
    "for f in ls; do eval f=rm; $f x; done",
    "for f in ls; do command read f; $f x; done",
    "for f in ls; do for f in rm; do :; done; $f x; done",
    "g() { for f in rm; do :; done; }; for f in ls; do g; $f x; done",
    "for c in 'rm x'; do $c; done",
    "for c in rm; do $c x; done",
    "for o in '-r -f'; do rm $o x; done",
    "SHLVL='a[$(rm x)]'; echo $((SHLVL))",
    "i=1; eval 'i=\"a[\\$(rm x)]\"'; echo $((i))",
    "i=1; read i; echo $((i))",
    "i=1; i+='a[$(rm x)]'; echo $((i))",
    "for i in 1; do printf -vi %s 'a[$(rm x)]'; echo $((i)); done",
    "cd() { :; }; cd src && rm ../x",
  ])("%s is not allowed with rm denied, in any mode", async (line) => {
    for (const mode of ["default", "acceptEdits", "bypassPermissions"] as const) {
      expect(await behavior(line, "allow Bash; deny Bash(rm *)", mode)).not.toBe("allow");
    }
  });

  test.each([
    'for f in README.md; do f=../elsewhere/secret; cat "$f"; done',
    'for f in a; do read f; cat "$f"; done < notes.txt',
    'for f in ../elsewhere/*; do cat "$f"; done',
    "cd() { :; }; cd src && cat ../secret",
  ])("%s is not taken for a look at the workspace", async (line) => {
    expect(await behavior(line)).toBe("ask");
  });
});

describe("a substitution is judged as the commands in it (B41)", () => {
  test.each(['echo "$(rm -rf x)"', "echo $(rm -rf x)", "echo `rm -rf x`", "echo <(rm x)", `echo "\${y:-$(rm x)}"`])(
    "%s is asked about with echo allowed, and denied with rm denied",
    async (line) => {
      expect(await behavior(line, "allow Bash(echo *)")).toBe("ask");
      expect(await behavior(line, "allow Bash(echo *)", "acceptEdits")).not.toBe("deny");
      expect(await behavior(line, "allow Bash(echo *); allow Bash(rm *)")).toBe("allow");
      expect(await behavior(line, "deny Bash(rm *)", "bypassPermissions")).toBe("deny");
      expect(await behavior(line, "", "bypassPermissions")).toBe("allow");
    },
  );

  test.each([
    "echo $((1+2))",
    "echo '$(rm)'",
    'echo "\\$(rm)"',
    "echo \\`rm\\`",
    "echo $(pwd)",
    "cat <<'E'\n$(rm x)\nE",
  ])("%s is harmless", async (line) => {
    expect(await behavior(line)).toBe("allow");
    expect(await behavior(line, "deny Bash(rm *)")).toBe("allow");
  });
});

describe("a link in the workspace leads no command out of it (B42)", () => {
  test.each(["cat out/secret", "ls out", "cat out/../x", "cat o*/secret"])("%s", async (line) => {
    expect(await behavior(line)).toBe("ask");
  });

  test.each(["touch out/new.txt", "echo x > out/new.txt", "cp notes.txt out", "mkdir out/x"])("%s", async (line) => {
    expect(await behavior(line, "", "acceptEdits")).toBe("ask");
    expect(await behavior(line, "allow Edit(out/**); allow Bash(echo *)")).toBe("ask");
  });
});

describe("no way of reading is without the check (B43)", () => {
  const secret = "hunter2-outside";

  /** Every tool that shows what is in files, and every way round it, led to a file outside. */
  const calls = (outside: string) => [
    uses("Read", { file_path: join(outside, "secret.txt") }),
    uses("Read", { file_path: "out/secret.txt" }),
    uses("Read", { file_path: "linked.txt" }),
    uses("Grep", { pattern: "hunter", path: outside, output_mode: "content" }),
    uses("Grep", { pattern: "hunter", path: "out", output_mode: "content" }),
    uses("Grep", { pattern: "hunter", output_mode: "content" }),
    uses("Grep", { pattern: "hunter", output_mode: "content", glob: "../**/secret.txt" }),
    uses("Glob", { pattern: "**/secret*", path: outside }),
    uses("Edit", { file_path: join(outside, "secret.txt"), old_string: "nothing", new_string: "x" }),
    uses("ApplyPatch", {
      patch: "*** Begin Patch\n*** Update File: out/secret.txt\n@@\n-x\n+y\n*** End Patch",
    }),
    uses("NotebookEdit", { notebook_path: join(outside, "n.ipynb"), new_source: "x", cell_id: "a" }),
    uses("LSP", { operation: "hover", filePath: join(outside, "secret.txt"), line: 1, character: 1 }),
    uses("Bash", { command: `cat ${join(outside, "secret.txt")}` }),
    uses("Bash", { command: "cat < linked.txt" }),
    uses("Bash", { command: "cat $(echo out)/secret.txt" }),
    uses("Monitor", { command: "cat out/secret.txt", description: "secret" }),
    uses("EnterWorktree", { path: outside }),
  ];

  test("a session with nobody to ask shows no tool's way to a file outside", async () => {
    await using outside = await tempWorkspace({ "secret.txt": secret, "n.ipynb": `{"cells": [${secret}` });
    await using at = await place({ "inside.txt": "hunter-inside" });
    await symlink(outside.root, at.project.path("out"));
    await symlink(outside.path("secret.txt"), at.project.path("linked.txt"));
    const steps = calls(outside.root);
    const model = scriptedModel([...steps, uses("Read", { file_path: "inside.txt" }), says("Done.")]);
    const { result } = await oneTurn({ ...at.options, model });
    expect(model.requests).toHaveLength(steps.length + 2);
    const shown = JSON.stringify(model.requests.at(-1)?.messages);
    expect(shown).not.toContain(secret);
    expect(shown).toContain("hunter-inside");
    expect(result.permission_denials.length).toBeGreaterThan(8);
  });
});
