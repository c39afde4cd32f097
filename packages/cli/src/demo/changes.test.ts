import { expect, test } from "vitest";
import { changesBetween } from "./changes.ts";

test("changed, new and deleted files stand in one unified diff; equal ones do not", async () => {
  const before = new Map([
    ["same.js", "s\n"],
    ["changed.js", "a\nb\n"],
    ["gone.js", "g\n"],
  ]);
  const after = new Map([
    ["same.js", "s\n"],
    ["changed.js", "a\nc\n"],
    ["new.js", "n\n"],
  ]);

  expect(await changesBetween(before, after)).toBe(
    "--- a/changed.js\n+++ b/changed.js\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n" +
      "--- a/gone.js\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-g\n" +
      "--- /dev/null\n+++ b/new.js\n@@ -0,0 +1,1 @@\n+n\n",
  );
  expect(await changesBetween(before, before)).toBe("");
});
