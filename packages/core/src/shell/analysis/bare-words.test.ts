import fc from "fast-check";
import { expect, test } from "vitest";
import { analyzeCommand } from "./analyze-command.ts";
import { bareWords } from "./bare-words.ts";

const programs =
  "ls rm cd pushd export sudo env xargs timeout bash eval command find time if ./run.sh /bin/rm - 2 git true";
const word = fc.oneof(
  fc.constantFrom(...programs.split(" ")),
  fc.stringMatching(/^[\w@+:,./=-]{1,6}$/),
  fc.constantFrom("-c", "-exec", "-n1", "--", "-a=b", "a=b", "-v", "a[1]", "*.ts", "~", "{a,b}", "$x", "'a b'", "é"),
);

test("a line of bare words is judged as the parser would have it judged", () => {
  let bare = 0;
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), (words) => {
      const line = words.join(" ");
      if (bareWords(line) !== undefined) bare++;
      expect(analyzeCommand(line)).toEqual(analyzeCommand(`${line} ;`)); // which is no bare line
    }),
    { seed: 4, numRuns: process.env["PAWL_LONG"] === "1" ? 100_000 : 500 },
  );
  expect(bare).toBeGreaterThan(50);
});

test.each(["a=b ls", "ls  -la", "ls\nrm x", "=ls", "if true", "ls;rm", "echo a=b", "ls %1", "l\u00a0s", "", " ls"])(
  "%j is left to the parser",
  (line) => {
    expect(bareWords(line)).toBeUndefined();
  },
);
