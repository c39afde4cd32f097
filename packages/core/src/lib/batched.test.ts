import { expect, test } from "vitest";
import { batched } from "./batched.ts";

test("requests made together are answered by one piece of work, later ones by the next", async () => {
  const batches: number[][] = [];
  const double = batched(async (requests: readonly number[]) => {
    batches.push([...requests]);
    return requests.map((request) => request * 2);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(batches).toEqual([[1, 2, 3], [4]]);
});

test("a failure reaches each who asked, and the next batch begins anew", async () => {
  let isBroken = true;
  const same = batched(async (requests: readonly string[]) => {
    if (isBroken) throw new Error("no luck");
    return requests;
  });
  const failed = await Promise.allSettled([same("a"), same("b")]);
  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  isBroken = false;
  expect(await same("c")).toBe("c");
});
