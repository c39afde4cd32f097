import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { continueAttempt, decideBudget, decideCost, MAX_BUDGET_CONTINUES } from "./token-budget.ts";

describe("a budget", () => {
  test.each([
    [0, "continue"],
    [89, "continue"],
    [90, "warn_and_continue"],
    [99, "warn_and_continue"],
    [100, "stop"],
    [250, "stop"],
  ])("of 100 with %i used says %s", (used, decision) => {
    expect(decideBudget(used, 100, false)).toBe(decision);
  });

  test("warns once", () => {
    expect(decideBudget(95, 100, true)).toBe("continue");
    expect(decideBudget(100, 100, true)).toBe("stop");
  });

  test("never goes back on what it said with less used", () => {
    const order = ["continue", "warn_and_continue", "stop"];
    const amount = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(amount, amount, fc.integer({ min: 1, max: 1_000_000 }), (a, b, limit) => {
        const less = order.indexOf(decideBudget(Math.min(a, b), limit, false));
        expect(order.indexOf(decideBudget(Math.max(a, b), limit, false))).toBeGreaterThanOrEqual(less);
      }),
    );
  });
});

describe("a budget in dollars", () => {
  test("is exact at its boundary, though fractions do not add up exactly", () => {
    expect(0.7 + 0.1).toBeLessThan(0.8);
    expect(decideCost(0.7 + 0.1, 0.8, true)).toBe("stop");
    expect(decideCost(0.79999999, 0.8, true)).toBe("continue");
  });

  test("is reached by any number of responses whose sum it is", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 900_000 }), { minLength: 1, maxLength: 50 }), (tokens) => {
        const spent = tokens.reduce((sum, count) => sum + (count * 10) / 1_000_000, 0);
        const limit = (tokens.reduce((sum, count) => sum + count, 0) * 10) / 1_000_000;
        expect(decideCost(spent, limit, true)).toBe("stop");
        expect(decideCost(spent - 0.00001, limit, true)).toBe("continue");
      }),
    );
  });

  test("cannot be held when what was spent is not known", () => {
    expect(decideCost(null, 5, false)).toBe("stop");
  });
});

describe("a model that ends early", () => {
  const early = { usedTokens: 49, taskBudget: 100, hasOpenWork: true, continues: 0 };

  test("is asked to go on while it leaves work open and half of its budget is unused, at most three times", () => {
    const attempts = [0, 1, 2, 3].map((continues) => continueAttempt({ ...early, continues }));
    expect(attempts).toEqual([1, 2, 3, undefined]);
    expect(MAX_BUDGET_CONTINUES).toBe(3);
  });

  test("may end when nothing is open, or half of its budget is used", () => {
    expect(continueAttempt({ ...early, hasOpenWork: false })).toBeUndefined();
    expect(continueAttempt({ ...early, usedTokens: 50 })).toBeUndefined();
  });
});
