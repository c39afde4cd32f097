import { expect, test } from "vitest";
import type { RateLimit } from "../model.ts";
import { rateLimitOf } from "./rate-limit.ts";

const unified = (fields: Record<string, string>) => limits("unified-", fields);
const limits = (kind: string, fields: Record<string, string>) =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`anthropic-ratelimit-${kind}${name}`, value]));

const week = {
  "representative-claim": "seven_day",
  reset: "1800000000",
  "7d-utilization": "0.91",
  "5h-utilization": "0.2",
};
const used = { window: "seven_day", resetsAt: 1_800_000_000_000, utilization: 0.91 };

const table: readonly (readonly [name: string, headers: Record<string, string>, limit: RateLimit | undefined])[] = [
  ["no headers", {}, undefined],
  [
    "a subscription far from its limits",
    unified({ ...week, status: "allowed", "overage-status": "rejected" }),
    undefined,
  ],
  ["one near a limit", unified({ ...week, status: "allowed_warning" }), { status: "allowed_warning", ...used }],
  [
    "one beyond it that pays for more",
    unified({ ...week, status: "rejected", "overage-status": "allowed", "overage-reset": "1900000000" }),
    { status: "rejected", ...used, overage: { status: "allowed", resetsAt: 1_900_000_000_000 } },
  ],
  ["a status that is not known", unified({ status: "allowed_soon" }), { status: "allowed_warning" }],
  [
    "a number that is none",
    unified({ ...week, status: "allowed_warning", reset: "soon", "7d-utilization": "much" }),
    { status: "allowed_warning", window: "seven_day" },
  ],
  ["a key with requests left", limits("requests-", { remaining: "10", reset: "2026-11-02T12:00:00Z" }), undefined],
  [
    "a key with none left of one kind",
    {
      ...limits("requests-", { remaining: "10", reset: "2026-11-02T12:00:05Z" }),
      ...limits("output-tokens-", { remaining: "0", reset: "2026-11-02T12:01:00Z" }),
    },
    { status: "allowed_warning", resetsAt: Date.parse("2026-11-02T12:01:00Z") },
  ],
];

test.each(table)("%s", (_name, headers, limit) => {
  expect(rateLimitOf(headers)).toEqual(limit);
});
