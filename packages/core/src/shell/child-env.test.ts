import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { childEnvironment } from "./child-env.ts";

test("a search path for folders does not lead `cd` to another one than the command was judged by", () => {
  const { PATH } = process.env;
  const env = childEnvironment({ PATH, CDPATH: "/usr" }, false);

  expect(spawnSync("bash", ["-c", "cd bin && pwd"], { cwd: "/", env: { ...env }, encoding: "utf8" }).stdout).not.toBe(
    "/usr/bin\n",
  );
  expect(env["CDPATH"]).toBeUndefined();
});
