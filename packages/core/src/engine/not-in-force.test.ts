import { expect, test } from "vitest";
import { mergeLayers } from "../settings/merge-layers.ts";
import { notInForce, refuseUnconfined } from "./not-in-force.ts";

const settings = (value: object) => mergeLayers([{ source: "userSettings", place: "my.json", value }]);

test("hooks and a sandbox that are set are told to have no effect, with the file", () => {
  const hooks = { PreToolUse: [{ hooks: [{ type: "command", command: "guard" }] }] };
  expect(notInForce(settings({ hooks, sandbox: { enabled: true } }))).toEqual([
    "my.json: hooks have no effect: this version runs none",
    "my.json: sandbox.enabled has no effect: this version confines no commands, they run as you",
  ]);
  expect(notInForce(settings({ hooks: {}, sandbox: { enabled: false }, model: "opus" }))).toEqual([]);
});

test("who would rather not go on without a sandbox does not", () => {
  expect(() => refuseUnconfined(settings({ sandbox: { enabled: true, failIfUnavailable: true } }))).toThrow(
    "my.json: sandbox.failIfUnavailable is set, and this version confines no commands; take it out to go on without",
  );
  refuseUnconfined(settings({ sandbox: { enabled: true } }));
  refuseUnconfined(settings({ sandbox: { enabled: false, failIfUnavailable: true } }));
});
