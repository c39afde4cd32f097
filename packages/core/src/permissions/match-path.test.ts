import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { permissionContext } from "../../test/support/permission-context.ts";
import type { PermissionContext } from "./context.ts";
import { matchesPath } from "./match-path.ts";
import { placeOf } from "./place.ts";
import { parseRule, type RuleSource } from "./rule.ts";

let root: string;
let context: PermissionContext;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-match-path-")));
  for (const folder of ["ws/src", "ws/sub", "home/.pawl", "elsewhere"])
    await mkdir(join(root, folder), { recursive: true });
  await writeFile(join(root, "elsewhere/secret"), "");
  await writeFile(join(root, "ws/.env"), "");
  await symlink(join(root, "elsewhere"), join(root, "ws/src/out"));
  await symlink(join(root, "elsewhere/not-yet"), join(root, "ws/src/dangling"));
  await symlink(join(root, "ws/.env"), join(root, "ws/src/harmless.txt"));
  await symlink(join(root, "ws"), join(root, "alias"));
  context = permissionContext(root);
});
afterAll(() => rm(root, { recursive: true }));

async function covers(
  spec: string,
  path: string,
  { source = "cliArg", ...changes }: Partial<PermissionContext> & { source?: RuleSource } = {},
) {
  const here = { ...context, ...changes };
  const rule = { ...parseRule(`Read(${spec})`, source), spec };
  const place = await placeOf(path.replace("$", root), here);
  const matches = (reading: "narrow" | "wide") => matchesPath(rule, place, reading, here);
  return { allow: await matches("narrow"), deny: await matches("wide") };
}

const both = { allow: true, deny: true };
const neither = { allow: false, deny: false };

test("an absolute pattern is anchored at the file system's root", async () => {
  expect(await covers(`/${root}/elsewhere/**`, "$/elsewhere/secret")).toEqual(both);
  expect(await covers(`/${root}/elsewhere/**`, "$/ws/.env")).toEqual(neither);
  expect(await covers("//**", "$/ws/.env")).toEqual(both);
});

test("a tilde is the home folder, in the pattern and in the path", async () => {
  expect(await covers("~/.ssh/**", "$/home/.ssh/id_rsa")).toEqual(both);
  expect(await covers("~/.ssh/**", "~/.ssh/id_rsa")).toEqual(both);
  expect(await covers("~/.ssh/**", "$/ws/.ssh/id_rsa")).toEqual(neither);
});

test("a leading slash means the folder of the rule's source", async () => {
  const moved = { cwd: join(root, "ws/sub") };
  expect(await covers("/src/**", "$/ws/src/a.ts", moved)).toEqual(both);
  expect(await covers("/src/**", "$/ws/sub/src/a.ts", moved)).toEqual(neither);
  expect(await covers("/notes/**", "$/home/.pawl/notes/a", { source: "userSettings" })).toEqual(both);
  expect(await covers("/notes/**", "$/ws/notes/a", { source: "userSettings" })).toEqual(neither);
});

test("a rule may carry its own folder", async () => {
  const rule = { ...parseRule("Read(/a)", "flagSettings", { anchor: join(root, "elsewhere") }), spec: "/a" };
  expect(await matchesPath(rule, await placeOf(join(root, "elsewhere/a"), context), "narrow", context)).toBe(true);
});

test("a relative pattern is anchored at the current directory; a deny keeps holding for the start directory", async () => {
  const moved = { cwd: join(root, "ws/sub") };
  expect(await covers("./.env", "$/ws/.env")).toEqual(both);
  expect(await covers(".env", "$/ws/.env", moved)).toEqual({ allow: false, deny: true });
  expect(await covers("../src/**", "$/ws/src/a.ts", moved)).toEqual(both);
});

test("a link that leads elsewhere is covered by a deny of either side and by no allow of one", async () => {
  expect(await covers("src/**", "$/ws/src/out/secret")).toEqual({ allow: false, deny: true });
  expect(await covers(`/${root}/elsewhere/**`, "$/ws/src/out/secret")).toEqual({ allow: false, deny: true });
  expect(await covers(".env", "$/ws/src/harmless.txt")).toEqual({ allow: false, deny: true });
});

test("a dangling link leads where the file would be made", async () => {
  expect(await covers("src/**", "$/ws/src/dangling")).toEqual({ allow: false, deny: true });
  expect(await covers(`/${root}/elsewhere/**`, "src/dangling")).toEqual({ allow: false, deny: true });
});

test("two dots after a link are read as text and as the system reads them", async () => {
  expect(await covers("src/**", "src/out/../x")).toEqual({ allow: false, deny: true });
  expect(await covers(`/${root}/x`, "src/out/../x")).toEqual({ allow: false, deny: true });
});

test("a current directory that is reached through a link works like the real one", async () => {
  const aliased = { cwd: join(root, "alias"), startCwd: join(root, "alias") };
  expect(await covers("src/**", "src/a.ts", aliased)).toEqual(both);
  expect(await covers("src/**", "$/ws/src/a.ts", aliased)).toEqual(both);
});

test("a path that cannot be followed is never allowed", async () => {
  await symlink("loop", join(root, "ws/loop"));
  expect(await covers("**", "$/ws/loop")).toEqual({ allow: false, deny: true });
  expect(await covers("**", "$/ws/a\0b")).toEqual({ allow: false, deny: true });
});
