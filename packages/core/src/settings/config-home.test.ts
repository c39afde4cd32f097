import { expect, test } from "vitest";
import { PawlError } from "../lib/error.ts";
import { configHome } from "./config-home.ts";
import { envVar } from "./env-var.ts";

test("the config home is .pawl in the home folder unless PAWL_CONFIG_DIR moves it", () => {
  expect(configHome({}, "/home/ann")).toBe("/home/ann/.pawl");
  expect(configHome({ PAWL_CONFIG_DIR: "" }, "/home/ann")).toBe("/home/ann/.pawl");
  expect(configHome({ PAWL_CONFIG_DIR: "/srv/pawl", CLAUDE_CONFIG_DIR: "/other" }, "/home/ann")).toBe("/srv/pawl");
  expect(configHome({ CLAUDE_CONFIG_DIR: "/other" }, "/home/ann")).toBe("/home/ann/.pawl");
});

test("a relative config home is refused, with what to write", () => {
  expect(() => configHome({ PAWL_CONFIG_DIR: "conf" }, "/home/ann")).toThrow(
    new PawlError("settings_invalid", 'PAWL_CONFIG_DIR is "conf"; give an absolute path, such as /home/ann/.pawl'),
  );
});

test("our own variable goes before the public ones, in their order, and an empty one is none", () => {
  const env = { ANTHROPIC_X: "4", CLAUDE_X: "3", CLAUDE_CODE_X: "2", PAWL_X: "1" };
  expect(envVar(env, "X")).toBe("1");
  expect(envVar({ ...env, PAWL_X: "" }, "X")).toBe("2");
  expect(envVar({ ...env, PAWL_X: undefined, CLAUDE_CODE_X: undefined }, "X")).toBe("3");
  expect(envVar({ ANTHROPIC_API_KEY: "key" }, "API_KEY")).toBe("key");
  expect(envVar({}, "X")).toBeUndefined();
});
