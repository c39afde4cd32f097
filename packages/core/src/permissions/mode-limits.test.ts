import { describe, expect, test } from "vitest";
import { modeRefusals, refuseMode, startMode } from "./mode-limits.ts";

const user = { settings: { other: {} }, enablesBypass: true, isRoot: false, env: {} };
const disabled = (key: string) => ({
  other: { [`permissions.${key}`]: { value: "disable", source: "policySettings" as const } },
});

describe("bypassing permissions", () => {
  test("is for who asked for it at the start", () => {
    expect(modeRefusals(user)).toEqual({});
    expect(modeRefusals({ ...user, enablesBypass: false }).bypassPermissions).toContain("was not enabled");
  });

  test("is not for root, but in a sandbox that says what it is", () => {
    const root = { ...user, isRoot: true };
    expect(modeRefusals(root).bypassPermissions).toMatch(
      /^--dangerously-skip-permissions cannot be used with root\/sudo privileges for security reasons/,
    );
    for (const env of [{ IS_SANDBOX: "1" }, { IS_SANDBOX: "yes" }, { PAWL_SANDBOX: "true" }]) {
      expect(modeRefusals({ ...root, env })).toEqual({});
    }
    for (const env of [{ IS_SANDBOX: "0" }, { IS_SANDBOX: "" }, { SANDBOX: "1" }]) {
      expect(modeRefusals({ ...root, env }).bypassPermissions).toBeDefined();
    }
  });

  test("can be switched off, and so can auto", () => {
    expect(modeRefusals({ ...user, settings: disabled("disableBypassPermissionsMode") })).toEqual({
      bypassPermissions: 'permissions.disableBypassPermissionsMode is "disable" (policy settings)',
    });
    expect(modeRefusals({ ...user, settings: disabled("disableAutoMode") })).toEqual({
      auto: 'permissions.disableAutoMode is "disable" (policy settings)',
    });
  });
});

test("a mode that was asked for is an error when refused; one of the settings or a stored session gives way, with a notice", () => {
  const refusals = { auto: "nobody may" };
  expect(() => startMode({ option: "auto" }, refusals)).toThrow('Permission mode "auto" is refused: nobody may.');
  expect(() => refuseMode("auto", refusals)).toThrow();
  expect(startMode({ stored: "auto", setting: "plan" }, refusals)).toEqual({
    mode: "default",
    notices: ['Permission mode "auto" is not used, but "default": nobody may.'],
  });
  expect(startMode({ option: "plan", stored: "auto" }, refusals)).toEqual({ mode: "plan", notices: [] });
  expect(startMode({ setting: "plan" }, refusals).mode).toBe("plan");
  expect(startMode({}, {}).mode).toBe("default");
});
