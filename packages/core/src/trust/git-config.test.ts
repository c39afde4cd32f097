import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseGitConfig } from "./git-config.ts";

const texts: readonly string[] = [
  '[core]\n\tfsmonitor = "./evil.sh" # why\n',
  "[core] fsmonitor=./evil.sh ; why",
  "[CORE]FSMonitor=a\\\n  b",
  '[diff "PDF File"]\n textconv = sh -c \\"x\\" "#;"\n',
  '[diff "a\\"b"]\n  command = "a;b#c"  \n',
  "[diff.PDF]\n textconv = x",
  "; comment\n\n# [core]\n[core]\n bare\n",
  "[include]\r\n\tpath = ../evil\r\n",
  '[a]\n x = "\\t tab" \\n end\n',
  "\uFEFF[core]\n editor = x y   \n",
  "[core]\n a-b = 1\n[core]\n a-b = 2",
  "[alias]\n l = !sh -c 'x; y'\n",
  "[core]\n\tpager = \n\tx=\n",
];

test.each(texts)("%j is read as git reads it", async (text) => {
  const folder = await mkdtemp(join(tmpdir(), "pawl-git-config-"));
  try {
    const file = join(folder, "config");
    await writeFile(file, text);
    const listed = execFileSync("git", ["config", "-z", "--list", "--file", file], { encoding: "utf8" });
    const expected = listed.split("\0").slice(0, -1).map(entryOf);
    expect(parseGitConfig(text)).toEqual(expected);
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** `key\nvalue`, or `key` alone for one that is simply there. */
function entryOf(text: string): { key: string; value: string } {
  const end = text.indexOf("\n");
  return end === -1 ? { key: text, value: "true" } : { key: text.slice(0, end), value: text.slice(end + 1) };
}

test.each(["[core\n a=1", "a = 1", '[core]\n a = "open', "[core]\n 1a = 2", "[core]\n a : b", "\u0001"])(
  "%j is none",
  (text) => {
    expect(parseGitConfig(text)).toBeUndefined();
  },
);
