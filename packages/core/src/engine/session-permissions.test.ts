import { expect, test } from "vitest";
import { mergeLayers } from "../settings/merge-layers.ts";
import { sessionPermissions } from "./session-permissions.ts";

const noticesOf = (options: Parameters<typeof sessionPermissions>[0], permissions: object = {}) => {
  const settings = mergeLayers([{ source: "userSettings", place: "settings.json", value: { permissions } }]);
  return sessionPermissions(options, settings, ["Read", "Bash"]).notices;
};

test("a rule that can never match is pointed out, wherever it was given", () => {
  const fix = [expect.stringContaining('write "Edit(src/**)"')];
  expect(noticesOf({ allowedTools: ["Write(src/**)"] })).toEqual(fix);
  expect(noticesOf({ disallowedTools: ["Write(src/**)"] })).toEqual(fix);
  expect(noticesOf({}, { allow: ["Write(src/**)"] })).toEqual(fix);
  expect(noticesOf({}, { ask: ["Write(src/**)"] })).toEqual(fix);
});

test("a rule that names no tool there is is pointed out; one of another program is not", () => {
  const unknown = [expect.stringContaining('"bash(rm *)" names a tool that does not exist')];
  expect(noticesOf({ disallowedTools: ["bash(rm *)"] })).toEqual(unknown);
  expect(noticesOf({}, { ask: ["bash(rm *)"] })).toEqual(unknown);
  expect(noticesOf({ allowedTools: ["bash(rm *)"] })).toEqual([
    'flag: allow rule "bash(rm *)" names a tool that does not exist here; do you mean Bash?',
  ]);
  expect(noticesOf({}, { deny: ["PowerShell(x)", "LSP", "mcp__later__x"] })).toEqual([]);
});
