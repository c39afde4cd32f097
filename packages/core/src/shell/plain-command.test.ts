import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isHarmless, plainCommand } from "./plain-command.ts";

test("a program with literal words is plain, its words without their quotes", () => {
  expect(plainCommand("  git commit -m 'a; b' --author=\"A B\"x\n")).toEqual({
    program: "git",
    words: ["git", "commit", "-m", "a; b", "--author=A Bx"],
  });
  expect(plainCommand("echo '$(rm -rf x)'")?.words).toEqual(["echo", "$(rm -rf x)"]);
  expect(plainCommand("echo ''")?.words).toEqual(["echo", ""]);
  expect(plainCommand("ls ü/漢")?.words).toEqual(["ls", "ü/漢"]);
});

describe("anything that a shell would expand, chain, redirect or take as grammar is not plain", () => {
  const commands = [
    ...["", "   ", "''", "a; b", "a & b", "a && b", "a | b", "a |& b", "a > f", "a < f", "a <<x", "a\nb", "a\rb"],
    ...["$x", 'echo "$x"', 'echo "`x`"', "echo `x`", "echo $(x)", "echo $((1))", "(a)", "{ a; }", "a{b,c}", "ls *"],
    ...["ls ?", "ls [ab]", "ls ~", "! a", "a # b", "a \\; b", 'echo "\\$x"', "echo 'open", 'echo "open', "echo \u0000"],
    ...["FOO=1 ls", "FOO+=1 ls", "if a", "while a", "time a", "function a", "=ls", "echo $'\\x72'", "a 'b\nc'"],
  ];
  test.each(commands)("%j", (command) => expect(plainCommand(command)).toBeUndefined());
});

test("words that are quoted come back as they were", () => {
  const word = fc.string({ unit: fc.constantFrom(...'ab $`"\\;|&<>(){}*?[]~#!=') });
  fc.assert(
    fc.property(fc.array(word), (words) => {
      const command = ["cmd", ...words.map((text) => `'${text}'`)].join(" ");
      expect(plainCommand(command)).toEqual({ program: "cmd", words: ["cmd", ...words] });
    }),
  );
});

describe("what cannot change anything is harmless", () => {
  test.each(["ls -la src", "cat 'a b'", "true 12", "pwd", "head -n 3 x", "sleep 1"])("%s", (command) =>
    expect(isHarmless(command)).toBe(true),
  );
});

describe("what might change something is not harmless", () => {
  const commands = [
    ...[
      "rm x",
      "ls > x",
      "ls; rm x",
      "cat x | tee y",
      "date -s 12:00",
      "sort -o x y",
      "find . -delete",
      "cd x",
      "env rm x",
    ],
    ...["./ls", "/tmp/ls", "printf -v 'a[$(rm x)]' y", "test -v 'a[$(rm x)]'", "LD_PRELOAD=x ls", "git status"],
  ];
  test.each(commands)("%s", (command) => expect(isHarmless(command)).toBe(false));
});
