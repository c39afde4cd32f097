import { execFileSync } from "node:child_process";
import { chown, mkdir, realpath, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { LayerOptions } from "../../src/settings/read-layers.ts";
import { openSettings } from "../../src/settings/settings-store.ts";
import { type TempWorkspace, tempWorkspace } from "../../src/testing/temp-workspace.ts";

async function folder(files: Record<string, unknown>): Promise<TempWorkspace & { options: LayerOptions }> {
  const texts = Object.entries(files).map(([name, value]) => [
    name,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  const workspace = await tempWorkspace(Object.fromEntries(texts));
  onTestFinished(workspace.remove);
  const root = await realpath(workspace.root);
  const at = (name: string) => join(root, name);
  await mkdir(at("p"), { recursive: true });
  const options = {
    ...{ cwd: at("p"), home: at("h"), configHome: at("h/.pawl"), publicHome: at("h/.claude") },
    policyFolders: [at("etc/claude-code"), at("etc/pawl")],
  };
  return { ...workspace, root, options };
}

const rules = (...deny: string[]) => ({ permissions: { deny }, model: deny[0] });

test("every source counts, ours after the public one, the policy over the flag, and of each key its file is known", async () => {
  const { root, options } = await folder({
    "h/.claude/settings.json": {
      ...rules("UserPublic"),
      fallbackModel: ["a"],
      sandbox: { enabled: true, network: { allowedDomains: ["a"] } },
    },
    "h/.pawl/settings.json": {
      ...rules("User"),
      fallbackModel: ["b", "c"],
      sandbox: { network: { allowedDomains: ["b"] } },
    },
    "p/.claude/settings.json": rules("ProjectPublic"),
    "p/.pawl/settings.json": rules("Project"),
    "p/.claude/settings.local.json": rules("LocalPublic"),
    "p/.pawl/settings.local.json": rules("Local"),
    "etc/claude-code/managed-settings.json": rules("PolicyPublic"),
    "etc/pawl/managed-settings.json": rules("Policy"),
    "etc/pawl/managed-settings.d/20.json": rules("Policy20"),
    "etc/pawl/managed-settings.d/10.json": rules("Policy10"),
    "etc/pawl/managed-settings.d/.30.json": rules("Hidden"),
    "etc/pawl/managed-settings.d/40.txt": rules("Text"),
  });
  const flag = { source: "flagSettings", place: "--settings", value: rules("Flag") } as const;

  const settings = (await openSettings({ ...options, flag, managed: rules("Host") })).current();

  expect(settings.warnings).toEqual([]);
  expect(settings.permissions.deny.map(({ value }) => value)).toEqual([
    ...["UserPublic", "User", "ProjectPublic", "Project", "LocalPublic", "Local", "Flag"],
    ...["Host", "PolicyPublic", "Policy", "Policy10", "Policy20"],
  ]);
  expect(settings.model).toEqual({
    ...{ value: "Policy20", source: "policySettings", line: 1 },
    place: join(root, "etc/pawl/managed-settings.d/20.json"),
  });
  expect(settings.other["fallbackModel"]).toMatchObject({
    value: ["b", "c"],
    place: join(root, "h/.pawl/settings.json"),
  });
  expect(settings.other["sandbox"]?.value).toEqual({ enabled: true, network: { allowedDomains: ["a", "b"] } });
  const without = (await openSettings({ ...options, sources: [] })).current();
  expect(without.permissions.deny).toHaveLength(4);
});

test("the project's file is that of the start folder, the local one that of the repository, for a worktree of its main checkout", async () => {
  const { root, options } = await folder({
    "p/.pawl/settings.json": rules("Root"),
    "p/.pawl/settings.local.json": rules("RootLocal"),
    "p/sub/.pawl/settings.json": rules("Sub"),
    "p/sub/.pawl/settings.local.json": rules("SubLocal"),
  });
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], { cwd: options.cwd });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "x");
  git("worktree", "add", "-q", join(root, "w"));
  const deny = async (more: Partial<LayerOptions>) =>
    (await openSettings({ ...options, ...more })).current().permissions.deny.map(({ value }) => value);

  expect(await deny({ cwd: join(root, "p/sub") })).toEqual(["Sub", "RootLocal"]);
  expect(await deny({ cwd: join(root, "w") })).toEqual(["RootLocal"]);
  expect(await deny({ cwd: join(root, "p/sub"), localAt: "cwd" })).toEqual(["Sub", "SubLocal"]);
  expect(await deny({ cwd: join(root, "p/sub"), home: options.cwd })).toEqual(["Sub", "SubLocal"]);
  // A folder that only claims to be a worktree of that repository gets nothing of it.
  await mkdir(join(root, "claims"));
  const claims = await folder({ "c/.git": `gitdir: ${join(root, "p/.git/worktrees/w")}\n` });
  expect(await deny({ cwd: join(claims.root, "c") })).toEqual([]);
  if (process.getuid?.() !== 0) return; // only root can make a folder another's
  await chown(join(options.cwd, ".git"), 1234, 1234);
  expect(await deny({ cwd: join(root, "p/sub") })).toEqual(["Sub", "SubLocal"]);
});

test("a file that two sources name counts once, as the person's own", async () => {
  const { root, options } = await folder({ "h/.pawl/settings.json": rules("User") });
  const home = (await openSettings({ ...options, cwd: join(root, "h") })).current();
  expect(home.permissions.deny).toMatchObject([{ value: "User", source: "userSettings" }]);
  await mkdir(join(root, "p/.pawl"));
  await symlink(join(root, "h/.pawl/settings.json"), join(root, "p/.pawl/settings.json"));
  expect((await openSettings(options)).current().permissions.deny).toHaveLength(1);
});

test("what only the person or the policy may say is left out elsewhere, and said with its line", async () => {
  const { root, options } = await folder({
    "h/.pawl/settings.json": {
      permissions: { allow: ["Mine"], deny: ["MyDeny"], defaultMode: "plan" },
      apiKeyHelper: "mine",
    },
    "p/.pawl/settings.json":
      '{\n "permissions": {\n  "defaultMode": "auto"\n },\n "apiKeyHelper": "theirs",\n "allowManagedHooksOnly": true,\n "deny": ["X"]\n}',
    "etc/pawl/managed-settings.json": { allowManagedPermissionRulesOnly: true, permissions: { allow: ["Policy"] } },
  });
  const { permissions, apiKeyHelper, warnings } = (await openSettings(options)).current();
  expect(permissions.allow.map(({ value }) => value)).toEqual(["Policy"]);
  expect(permissions.deny.map(({ value }) => value)).toEqual(["MyDeny"]);
  expect(permissions.defaultMode?.value).toBe("plan");
  expect(apiKeyHelper?.value).toBe("mine");
  const file = join(root, "p/.pawl/settings.json");
  expect(warnings).toEqual([
    `${file}:3: permissions.defaultMode "auto" is left out; put it into your own settings, not a project's`,
    `${file}:5: apiKeyHelper is left out; put it into your own settings, not a project's`,
    `${file}:6: allowManagedHooksOnly is left out; it counts in the machine's policy only`,
    `${file}:7: deny has no effect here; put it into "permissions"`,
  ]);
});

test("a change is seen at the next look; a file that breaks keeps its last good value, and rules do not go without a word", async () => {
  const { root, write, options } = await folder({
    "h/.pawl/settings.json": { permissions: { deny: ["A"] }, env: { X: "1" } },
  });
  const file = join(root, "h/.pawl/settings.json");
  const store = await openSettings(options);
  const first = store.current();
  const deny = () => store.current().permissions.deny.map(({ value }) => value);

  await write("h/.pawl/settings.json", '{"permissions": {"deny": ["A", "B"]}}');
  expect(deny()).toEqual(["A"]);
  expect(await store.refresh()).toEqual([]);
  expect(deny()).toEqual(["A", "B"]);
  expect(first.permissions.deny).toHaveLength(1);

  await write("h/.pawl/settings.json", '{"permissions": {"deny": ["A"');
  expect(await store.refresh()).toEqual([
    `${file}:1:30: not valid JSON: it ends too early; close every string, list and object; what the file said before stays in force until it is mended`,
  ]);
  expect(await store.refresh()).toEqual([]);
  expect(deny()).toEqual(["A", "B"]);

  await write("h/.pawl/settings.json", "{}");
  expect(await store.refresh()).toEqual([]);
  await write("h/.pawl/settings.json", '{"permissions": {"deny": ["C"]}}');
  await store.refresh();
  await write("p/x", "");
  const { rm } = await import("node:fs/promises");
  await rm(file);
  expect(await store.refresh()).toEqual([`${file}: was removed, and its deny and ask rules (1) with it`]);
  expect(deny()).toEqual([]);
});

test("of a file that is broken from the start the deny and ask rules are in force, and nothing else", async () => {
  const { options } = await folder({
    "p/.pawl/settings.json":
      '{\n  // ours\n  "permissions": { "allow": ["Edit"], "ask": ["Bash(git push *)"], "deny": ["Read(./.env)", "Bash(rm *)",] },\n  "model": "opus"\n}',
  });
  const { permissions, model, warnings } = (await openSettings(options)).current();
  expect(permissions.deny.map(({ value }) => value)).toEqual(["Read(./.env)", "Bash(rm *)"]);
  expect(permissions.ask.map(({ value }) => value)).toEqual(["Bash(git push *)"]);
  expect([permissions.allow, model]).toEqual([[], undefined]);
  expect(warnings).toEqual([
    expect.stringMatching(/settings\.json:2:3: not valid JSON: comments .*; of the file only the deny and ask rules/),
  ]);
});
