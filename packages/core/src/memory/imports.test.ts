import { expect, test } from "vitest";
import { importsIn } from "./imports.ts";

test.each([
  ["@AGENTS.md", ["AGENTS.md"]],
  ["See @docs/a.md, and (@~/b.md).\n- @/etc/c.md", ["docs/a.md", "~/b.md", "/etc/c.md"]],
  ["@a\\ b.md @a.md @a.md", ["a b.md", "a.md"]],
  ["mail ann@example.com", []],
  ["`@a.md` and ``x ` @b.md``", []],
  ["```\n@a.md\n```\n@b.md", ["b.md"]],
  ["~~~sh\n@a.md\n~~~\n\n@b.md", ["b.md"]],
  ["```\n@a.md, and no end", []],
  ["@", []],
])("%j imports %j", (text, paths) => {
  expect(importsIn(text)).toEqual(paths);
});

test("a long text without an end of its code takes no time", () => {
  const started = performance.now();
  importsIn("`".repeat(2_000) + "a @b ".repeat(4_000));
  importsIn("```\n".repeat(5_000));
  expect(performance.now() - started).toBeLessThan(1_000);
});
