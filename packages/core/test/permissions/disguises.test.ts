import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { permissionModes } from "../../src/permissions/mode.ts";
import { deniedCommands, disguise } from "./disguise.ts";
import { runCommand } from "./jail.ts";
import { seededRandom } from "./random.ts";
import { makeWorkspace, type Workspace } from "./workspace.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const DISGUISES = isLong ? 10_000 : 1_200;
const SEED = Number(process.env["PAWL_SEED"] ?? 1);
const TIMEOUT_MS = isLong ? 60 * 60 * 1000 : 60_000;

let workspace: Workspace;

beforeAll(async () => {
  workspace = await makeWorkspace();
});
afterAll(() => workspace.remove());

describe.each(deniedCommands)("with $pattern denied", (denied) => {
  const rules = `allow Bash; deny Bash(${denied.pattern})`;

  test(
    "no disguise of it is allowed in any mode",
    async () => {
      const random = seededRandom(SEED);
      const passed: string[] = [];
      for (let at = 0; at < DISGUISES / deniedCommands.length; at++) {
        const line = disguise(denied, random);
        for (const mode of permissionModes) {
          if ((await workspace.decide(line, rules, mode)).behavior === "allow") passed.push(line);
        }
      }
      expect(passed).toEqual([]);
    },
    TIMEOUT_MS,
  );

  test("its allowed twin still runs", async () => {
    const { behavior } = await workspace.decide(denied.allowed.replace("V", "victim"), rules);
    expect(behavior).toBe("allow");
  });
});

/** Else the test above would hold of commands that do nothing. */
test("the disguises do what they hide", async () => {
  const random = seededRandom(SEED + 1);
  const [removal] = deniedCommands;
  if (removal === undefined) throw new Error("no command to disguise");
  let removed = 0;
  const tries = 60;
  for (let at = 0; at < tries; at++) {
    const line = disguise(removal, random);
    await workspace.write("ws/victim", "");
    runCommand(line, workspace.cwd, workspace.root);
    if (await workspace.isMissing("ws/victim")) removed++;
  }
  expect(removed / tries).toBeGreaterThan(0.7);
}, 110_000);
