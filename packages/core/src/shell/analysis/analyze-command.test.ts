import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { analyzeCommand } from "./analyze-command.ts";
import { isKnown } from "./shell-word.ts";
import { type SimpleCommand, withStarted } from "./simple-command.ts";

const shown = ({ words }: SimpleCommand) => words.map(({ value }) => value.replaceAll("\0", "…")).join(" ");

/** Every command that some part of a line may run. */
const commandsOf = (line: string) => withStarted(analyzeCommand(line).commands).map(shown);

test.each<[line: string, commands: string[]]>([
  ["ls -la && pwd; cat x | wc & id", ["ls -la", "pwd", "cat x", "wc", "id"]],
  ["A=1 B=2 rm x", ["rm x"]],
  ["\\rm 'x y' \"z\" a\\ b $'\\t'", ["rm x y z a b \t"]],
  ["echo $(a; b `c`) <(d) >(e)", ["a", "c", "b …", "d", "e", "echo … … …"]],
  ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
  ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
  ["for x in 1 2; do echo $x; done", ["echo 1", "echo 2"]],
  ["for x in $(a); do b $x; done", ["a", "b …"]],
  ["case x in a) b;; c) d;; esac", ["b", "d"]],
  ["f() { rm $1; }; f x", ["rm …", "f x"]],
  ["[[ -n $(a) ]] && (( 1 )) && { b; }", ["a", "b"]],
  ["cat <<E\n$(a)\nE", ["a", "cat"]],
  ["cat <<'E'\n$(a)\nE", ["cat"]],
  ["timeout -s KILL 5 nice -n 3 rm x", ["timeout -s KILL 5 nice -n 3 rm x", "nice -n 3 rm x", "rm x"]],
  ["env -u A B=1 rm x", ["env -u A B=1 rm x", "rm x"]],
  ["sudo -u bob -- rm x", ["sudo -u bob -- rm x", "rm x"]],
  ["bash -c 'a; b'", ["bash -c a; b", "a", "b"]],
  ["bash -euo pipefail -c 'a' b c", ["bash -euo pipefail -c a b c", "a"]],
  ["bash <<E\na\nE", ["bash", "a"]],
  ["sh <<< 'a b'", ["sh", "a b"]],
  ["eval a 'b c'", ["eval a b c", "a b c"]],
  ["ls | xargs -n1 rm -f", ["ls", "xargs -n1 rm -f", "rm -f …"]],
  ["ls | xargs -I{} mv {} d/{}", ["ls", "xargs -I{} mv {} d/{}", "mv … d/…"]],
  ["find . -exec a {} \\; -execdir b {} +", ["find . -exec a {} ; -execdir b {} +", "a …", "b …"]],
  ["{rm,-rf,x{1..2}}", ["rm -rf x1 x2"]],
  ["r\\\nm x", ["rm x"]],
])("%s", (line, commands) => {
  expect(commandsOf(line)).toEqual(commands);
  expect(analyzeCommand(line).doubts).toEqual([]);
});

test.each([
  ["echo 'x", "it is not well-formed"],
  ["$x y", "the name of a program is only known when it runs"],
  ["V=<(ls) rm x", "the name of a program is only known when it runs"],
  ["*/ls", "the name of a program is only known when it runs"],
  ["alias a=b", "alias changes what later commands mean"],
  ["eval $x", "a script is put together when it runs"],
  ["a | sh", "a shell runs what is put into it"],
  ["sh < <(a)", "a shell runs what is put into it"],
  ["PATH=x; ls", "it sets PATH"],
  ["export LD_PRELOAD=x", "it changes which programs later commands run"],
  ["timeout --what 5 ls", "what timeout starts cannot be told from its options"],
  ["echo $((x))", "arithmetic on what may be more than a number"],
  ["echo @(a|b)", "an extended glob means different things to different shells"],
  ["l\u00a0s", "it has control characters or unusual blanks"],
  [`echo ${"x".repeat(100_001)}`, "it is too long to be read"],
  ["a;".repeat(2_001), "it has too many commands"],
  [`${"$(".repeat(25)}a${")".repeat(25)}`, "its substitutions lie too deep in each other"],
])("%s leaves a doubt", (line, doubt) => {
  expect(analyzeCommand(line).doubts).toContain(doubt);
});

test.each<[line: string, directories: (string | undefined)[]]>([
  ["here", [""]],
  ["cd a && here", ["a"]],
  ["cd a; here", ["a", ""]],
  ["cd a || here", [""]],
  ["cd a && cd ../b && here", ["a/../b"]],
  ["cd && here", ["~"]],
  ["cd /x && here", ["/x"]],
  ["cd -P -- a && here", ["a"]],
  ["cd - && here", [undefined]],
  ["cd $x && here", [undefined]],
  ["cd a*; here", [undefined]],
  ["cd a b; here", [undefined]],
  ["(cd a); here", [""]],
  ["{ cd a; } && here", ["a"]],
  ["cd a & here", [""]],
  ["x=$(cd a); here", [""]],
  ["cd a | cat; here", [""]],
  ["cat | cd a; here", ["", "a"]],
  ["if cd a; then here; fi", ["a"]],
  ["if cd a; then ls; fi; here", ["a", ""]],
  ["for i in 1 2; do cd a; done; here", [undefined]],
  ["eval 'cd a' && here", ["a"]],
  ["command cd a && here", ["a"]],
  ["bash -c 'cd a' && here", [""]],
  ["bash -c 'cd a && here'", ["a"]],
  ["pushd a && here", ["a"]],
  ["pushd a && popd && here", [undefined]],
  ["CDPATH=/x cd a && here", [undefined]],
])("%s", (line, directories) => {
  const command = withStarted(analyzeCommand(line).commands).find((each) => shown(each) === "here");
  expect(command?.directories).toEqual(directories);
});

test("redirections are kept with what they name, descriptors and all", () => {
  const { commands } = analyzeCommand("a < i > o 2>> e &> b 2>&1 >| c <> d 3>&- <<< text");
  expect(commands[0]?.redirections.map(({ type, word }) => `${type} ${word.value}`)).toEqual([
    "input i",
    "output o",
    "output e",
    "output b",
    "output c",
    "output d",
    "text text",
  ]);
  const loop = analyzeCommand("for x in 1; do a; done < i > o").commands[0];
  expect(loop?.redirections.map(({ word }) => word.value)).toEqual(["i", "o"]);
});

describe("words that are known are the ones that bash hands over", () => {
  test.each([
    "plain",
    "'single $x'",
    '"double \\$x \\` \\\\ \\n"',
    "a\\ b\\'c",
    "$'\\t\\x41\\101\\u00e9\\'\\\\'",
    "a'b'\"c\"$'d'",
    "{a,b}c",
    "x{1..3}",
    "{a..e}",
    "a{b,{c,d}e}f",
    "{a,'b c',\"d,e\"}",
    "{a}",
    "{,x}",
    "\\{a,b}",
    "a{b",
    "-{-x,y}-",
    '"a\\\nb"',
    "c\\\nd",
    "[",
    "]",
    "=x",
    "a=b",
    "'#'",
    "^",
    "!",
    'é"ü"',
  ])("%s", (word) => {
    const bash = spawnSync("bash", ["-c", `printf '%s\\0' ${word}`], {
      encoding: "utf8",
      env: { ...process.env, LC_ALL: "C.UTF-8" },
    }).stdout;
    const words = analyzeCommand(`printf '%s\\0' ${word}`).commands[0]?.words.slice(2) ?? [];
    expect(words.every(isKnown)).toBe(true);
    expect(words.map(({ value }) => `${value}\0`).join("")).toBe(bash);
  });
});

test("hostile input is answered at once", () => {
  const started = performance.now();
  for (const line of [
    "(".repeat(50_000),
    "$(".repeat(5_000),
    "`".repeat(9_999),
    "{a,".repeat(3_000),
    "{a,b}".repeat(300),
  ]) {
    analyzeCommand(line);
  }
  analyzeCommand(`${"for a in 1 2 3 4 5 6 7 8; do ".repeat(18)}cd x; ${"done; ".repeat(18)}`);
  expect(performance.now() - started).toBeLessThan(10_000);
});

test("an expression too deep for the stack is a doubt, not a fault", () => {
  for (const sum of ["1+".repeat(4_900), "(".repeat(4_900), "-".repeat(9_000), "1?".repeat(4_900)]) {
    for (const line of [`echo $((${sum}1))`, `((${sum}1))`, `[[ ${"! ".repeat(4_900)} x ]]`]) {
      const { commands, doubts } = analyzeCommand(`${line}; rm y`);
      expect(doubts.length > 0 || withStarted(commands).some((each) => shown(each) === "rm y")).toBe(true);
    }
  }
});
