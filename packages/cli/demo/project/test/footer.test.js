import assert from "node:assert/strict";
import { test } from "node:test";
import { footer } from "../src/footer.js";
import { pageOf } from "../src/pages.js";

test("full pages are counted", () => {
  assert.equal(footer(1, 20, 10), "Page 1 of 2");
});

test("a last page that is not full is counted too", () => {
  assert.equal(footer(3, 21, 10), "Page 3 of 3");
  assert.deepEqual(pageOf([1, 2, 3], 2, 2), [3]);
});
