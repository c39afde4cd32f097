import { expect, test } from "vitest";
import { matchesPathGlob } from "./path-glob.ts";

/** glob, path below the anchor, matches read narrowly, matches read widely */
test.each([
  [".env", ".env", true, true],
  [".env", "deep/er/.env", true, true],
  [".env", ".env.local", false, false],
  [".ENV", ".env", false, true],
  [".env.*", "a/.env.local", true, true],
  ["src/**", "src/a/b.ts", true, true],
  ["src/**", "packages/src/b.ts", false, true],
  ["src/lib/**", "packages/src/lib/b.ts", false, false],
  ["src/*", "src/a.ts", true, true],
  ["src/*", "src/a/b.ts", false, true],
  ["docs", "docs/guide/a.md", true, true],
  ["docs/", "docs/a.md", true, true],
  ["**/test/**", "a/b/test/c.ts", true, true],
  ["a/**/z.ts", "a/z.ts", true, true],
  ["a/**/z.ts", "a/b/c/z.ts", true, true],
  ["*.ts", "x/y.ts", true, true],
  ["*.ts", "x/y.tsx", false, false],
  ["file?.ts", "file1.ts", true, true],
  ["[ab].ts", "b.ts", true, true],
  ["[!ab].ts", "b.ts", false, false],
  ["[a-c]x", "bx", true, true],
  ["[id]/page.ts", "i/page.ts", true, true],
  ["\\[id\\]/page.ts", "[id]/page.ts", true, true],
  ["app/(group)/{a,b}.ts", "app/(group)/{a,b}.ts", true, true],
  ["app/{a,b}.ts", "app/a.ts", false, false],
  ["!a", "!a", true, true],
  [".", "any/thing", true, true],
])("%s on %s", (glob, path, narrow, wide) => {
  expect(matchesPathGlob({ glob, isRelative: true }, path, "narrow")).toBe(narrow);
  expect(matchesPathGlob({ glob, isRelative: true }, path, "wide")).toBe(wide);
});

test("an anchored glob of one segment does not float", () => {
  expect(matchesPathGlob({ glob: "/etc", isRelative: false }, "home/etc", "wide")).toBe(false);
  expect(matchesPathGlob({ glob: "/etc", isRelative: false }, "etc/passwd", "wide")).toBe(true);
});

test("a name is the same in its composed and decomposed form", () => {
  expect(matchesPathGlob({ glob: "caf\u00e9.txt", isRelative: true }, "cafe\u0301.txt", "narrow")).toBe(true);
});

test("a hostile glob is answered at once", () => {
  const glob = `${"**/a*".repeat(12)}*a*a*a*a*a*a*a*a*b`;
  const path = `${"a/".repeat(500)}${"a".repeat(200)}`;
  const before = process.cpuUsage(); // of this process alone: a busy machine does not count
  expect(matchesPathGlob({ glob, isRelative: true }, path, "wide")).toBe(false);
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
});
