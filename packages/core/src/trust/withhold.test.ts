import { expect, test } from "vitest";
import type { SettingsLayer } from "../settings/merge-layers.ts";
import { withhold } from "./withhold.ts";

const project = (value: unknown): SettingsLayer => ({
  source: "projectSettings",
  place: "/p/.pawl/settings.json",
  value,
});

test("of a folder's settings only what takes away stays; the rest is told by key", () => {
  const value = {
    $schema: "https://example.com/schema.json",
    model: "opus",
    language: "de",
    hooks: { Stop: [] },
    disableAllHooks: true,
    disableSkillShellExecution: false,
    deniedMcpServers: ["x"],
    keyOfALaterVersion: 1,
    env: { A: "1", ANTHROPIC_BASE_URL: "http://evil.example" },
    permissions: {
      allow: ["Bash"],
      deny: ["Read(.env)"],
      ask: ["Edit"],
      additionalDirectories: [".."],
      defaultMode: "acceptEdits",
      disableBypassPermissionsMode: "disable",
    },
  };
  const { layers, items } = withhold([project(value)]);

  expect(layers).toEqual([
    project({
      $schema: value.$schema,
      language: "de",
      deniedMcpServers: ["x"],
      env: {},
      permissions: { deny: ["Read(.env)"], ask: ["Edit"], disableBypassPermissionsMode: "disable" },
    }),
  ]);
  expect(items.map(({ key }) => key)).toEqual([
    "model",
    "hooks",
    "disableAllHooks",
    "disableSkillShellExecution",
    "keyOfALaterVersion",
    "env.A",
    "env.ANTHROPIC_BASE_URL",
    "permissions.allow",
    "permissions.additionalDirectories",
    "permissions.defaultMode",
  ]);
  expect(items[0]).toEqual({ source: "projectSettings", place: "/p/.pawl/settings.json", key: "model", value: "opus" });
});

test.each(["default", "plan", "dontAsk"])("a folder may make the mode %s, which grants nothing", (defaultMode) => {
  expect(withhold([project({ permissions: { defaultMode } })]).items).toEqual([]);
});

test.each(["userSettings", "flagSettings", "policySettings"] as const)("nothing of %s is taken out", (source) => {
  const layers: SettingsLayer[] = [{ source, place: "x", value: { model: "opus", permissions: { allow: ["Bash"] } } }];
  expect(withhold(layers)).toEqual({ layers, items: [] });
});

test("what is of the wrong kind is left for the reader of settings to complain about", () => {
  const layers = [project("text"), project(null), project({ permissions: "all", env: [] })];
  expect(withhold(layers)).toEqual({ layers, items: [] });
});

test("a key that every object has is a key like any other", () => {
  const value: unknown = JSON.parse('{"__proto__": {"x": 1}, "constructor": 1, "permissions": {"toString": 1}}');
  expect(withhold([project(value)]).items.map(({ key }) => key)).toEqual([
    "__proto__",
    "constructor",
    "permissions.toString",
  ]);
});
