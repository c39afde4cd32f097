import { expect, test } from "vitest";
import { fileShownBy } from "./shown-file.ts";

test.each([
  ["cat a.txt", "a.txt"],
  ["cat -n 'a b.txt'", "a b.txt"],
  ["nl a.txt", "a.txt"],
  ["head a.txt", "a.txt"],
  ["head -n 5 a.txt", "a.txt"],
  ["head -5 a.txt", "a.txt"],
  ["tail -c 20 /x/a.txt", "/x/a.txt"],
  ["sed -n '3,9p' a.txt", "a.txt"],
  ["sed -n 3p a.txt", "a.txt"],
  ["grep -n TODO a.txt", "a.txt"],
  ["rg TODO a.txt", "a.txt"],
])("%s shows %s", (command, file) => {
  expect(fileShownBy(command)).toBe(file);
});

test.each([
  "cat a.txt b.txt",
  "cat a.txt | head",
  "cat a.txt > b.txt",
  "cat a.txt; true",
  "cat *.txt",
  "cat $X",
  "cat -",
  "cat",
  "sed -i s/a/b/ a.txt",
  "sed -n 's/a/b/w out' a.txt",
  "grep TODO",
  "grep TODO a.txt b.txt",
  "ls a.txt",
  "constructor a.txt",
])("%s shows no one file", (command) => {
  expect(fileShownBy(command)).toBeUndefined();
});
