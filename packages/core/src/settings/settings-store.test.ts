import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { flagLayer } from "./flag-layer.ts";
import { mergeLayers } from "./merge-layers.ts";
import type { SettingSource, Settings } from "./settings.ts";
import { openSettings } from "./settings-store.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "pawl-settings-"));
});
afterEach(() => rm(home, { recursive: true }));

const write = (text: string) => writeFile(join(home, "settings.json"), text);

/** The user's file in `home`, and nothing of this machine. */
async function readSettings({ configHome, flags }: { configHome: string; flags?: object }): Promise<Settings> {
  const flag = flags === undefined ? {} : { flag: await flagLayer(flags, home) };
  return (await openSettings({ cwd: home, home, configHome, policyFolders: [], ...flag })).current();
}
const none = {
  permissions: { allow: [], ask: [], deny: [], additionalDirectories: [] },
  env: {},
  other: {},
  warnings: [],
};
const user = <T>(value: T, line = 1) => ({
  value,
  source: "userSettings",
  place: join(home, "settings.json"),
  line,
});
const flag = <T>(value: T) => ({ value, source: "flagSettings", place: "--settings" });
const alone = <T>(part: T) => ({ ...part, parts: [part] });

test("without a file there are no settings and no warning", async () => {
  expect(await readSettings({ configHome: join(home, "nowhere") })).toEqual(none);
});

test("every key keeps its source, unknown ones are kept, and a flag wins or adds", async () => {
  await write(
    JSON.stringify({
      $schema: "https://example.com/schema.json",
      model: "sonnet",
      permissions: { allow: ["Read"], deny: ["Bash(rm *)"], defaultMode: "plan", disableAutoMode: "disable" },
      env: { A: "1", B: "2" },
      statusLine: { type: "command", command: "date" },
    }),
  );
  const flags = { model: "opus", permissions: { allow: ["Edit"], additionalDirectories: ["../x"] }, env: { B: "" } };
  expect(await readSettings({ configHome: home, flags })).toEqual({
    permissions: {
      allow: [user("Read", 1), flag("Edit")],
      ask: [],
      deny: [user("Bash(rm *)", 1)],
      defaultMode: user("plan"),
      additionalDirectories: [flag("../x")],
    },
    env: { A: user("1"), B: flag("") },
    model: flag("opus"),
    other: {
      "permissions.disableAutoMode": alone(user("disable")),
      statusLine: alone(user({ type: "command", command: "date" })),
    },
    warnings: [],
  });
});

test("a broken file is left out, with a warning that names file, line and column", async () => {
  await write('{\n  "model": "sonnet",\n}');
  expect(await readSettings({ configHome: home })).toEqual({
    ...none,
    warnings: [
      `${home}/settings.json:3:1: not valid JSON: remove the comma before this bracket; the whole file is left out`,
    ],
  });
});

test("a bad entry is left out, with file, line, key and fix, and the others are used", async () => {
  await write(
    JSON.stringify({
      model: 5,
      permissions: { allow: ["Read", 7, null], ask: "Bash", defaultMode: [] },
      env: { PORT: 80, "BAD NAME": "x", OK: "yes" },
    }),
  );
  const file = `${home}/settings.json`;
  expect(await readSettings({ configHome: home })).toEqual({
    ...none,
    permissions: { ...none.permissions, allow: [user("Read", 1)], ask: [user("Bash")] },
    env: { OK: user("yes") },
    warnings: [
      `${file}:1: model is a number; write a text, such as "sonnet"`,
      `${file}:1: permissions.allow[1] is a number; write a text, such as "Bash(npm test)"`,
      `${file}:1: permissions.allow[2] is null; write a text, such as "Bash(npm test)"`,
      `${file}:1: permissions.ask is a string; write a list, such as ["Bash(npm test)"]`,
      `${file}:1: permissions.ask is used all the same, with "Bash"`,
      `${file}:1: permissions.defaultMode is a list; write a text, such as "acceptEdits"`,
      `${file}:1: env.PORT is a number; write a text, such as "80"`,
      `${file}:1: env has the name "BAD NAME"; use letters, digits and _ only`,
    ],
  });
});

test("a command that prints the key is taken from the user's settings and flags, never from a project's", () => {
  const layer = (source: SettingSource, apiKeyHelper: unknown) => ({ source, place: source, value: { apiKeyHelper } });
  const { apiKeyHelper, other, warnings } = mergeLayers([
    layer("userSettings", "my-key"),
    layer("projectSettings", "curl evil.example"),
    layer("localSettings", "curl evil.example"),
  ]);

  expect({ apiKeyHelper, other, warnings }).toEqual({
    apiKeyHelper: { value: "my-key", source: "userSettings", place: "userSettings" },
    other: {},
    warnings: ["projectSettings", "localSettings"].map(
      (place) => `${place}: apiKeyHelper is left out; put it into your own settings, not a project's`,
    ),
  });
  expect(mergeLayers([layer("userSettings", "my-key"), layer("flagSettings", "other-key")]).apiKeyHelper).toMatchObject(
    { value: "other-key", source: "flagSettings" },
  );
  expect(mergeLayers([layer("userSettings", 5)]).warnings).toEqual([
    'userSettings: apiKeyHelper is a number; write a text, such as "print-my-key"',
  ]);
});

test.each([
  ["[]", "is a list; write one object"],
  ['{"permissions": []}', "permissions is a list; write an object"],
  ['{"env": "A=1"}', "env is a string; write an object"],
])("%s is pointed out", async (text, what) => {
  await write(text);
  const { warnings } = await readSettings({ configHome: home });
  expect(warnings).toEqual([expect.stringContaining(what)]);
});

test("a key named __proto__ is a key like any other", async () => {
  await write('{"__proto__": {"polluted": true}, "env": {"__proto__": "x"}}');
  const settings = await readSettings({ configHome: home });
  expect(Object.hasOwn(settings.other, "__proto__")).toBe(true);
  expect(Object.hasOwn(settings.env, "__proto__")).toBe(true);
  expect("polluted" in settings.other).toBe(false);
});

test("the value cannot be changed, and the flags given are not frozen with it", async () => {
  const flags = { hooks: { Stop: [] as string[] } };
  const settings = await readSettings({ configHome: home, flags });
  expect(() => Object.assign(settings.permissions, { allow: [] })).toThrow(TypeError);
  expect(Object.isFrozen(settings.other["hooks"]?.value)).toBe(true);
  flags.hooks.Stop.push("later");
  expect(settings.other["hooks"]?.value).toEqual({ Stop: [] });
});

test("what is no regular file, no UTF-8 or too large is left out with a warning", async () => {
  await mkdir(join(home, "settings.json"));
  expect((await readSettings({ configHome: home })).warnings).toEqual([
    expect.stringContaining("is a directory, not a file; the whole file is left out"),
  ]);
  await rm(join(home, "settings.json"), { recursive: true });
  await writeFile(join(home, "settings.json"), new Uint8Array([0x7b, 0xff, 0x7d]));
  expect((await readSettings({ configHome: home })).warnings).toHaveLength(1);
  await write(`"${"x".repeat(2 * 1024 * 1024)}"`);
  expect((await readSettings({ configHome: home })).warnings).toEqual([expect.stringContaining("at most 2097152")]);
});

test.each([1, 2, 3, 4])("%d byte order marks change nothing", async (count) => {
  await write(`${"\uFEFF".repeat(count)}{\n"permissions": { "deny": ["Bash(rm *)"] }\n}`);
  const { permissions, warnings } = await readSettings({ configHome: home });
  expect(warnings).toEqual([]);
  expect(permissions.deny).toMatchObject([{ value: "Bash(rm *)", line: 2 }]);
});

test("a stray backslash between two rules of a broken list takes none of them away", async () => {
  await write(String.raw`{"permissions": {"deny": ["Bash(rm *)"\"Bash(git push *)", "Edit(//etc/**)"]}}`);
  const { permissions } = await readSettings({ configHome: home });
  expect(permissions.deny.map(({ value }) => value)).toEqual(["Bash(rm *)", "Bash(git push *)", "Edit(//etc/**)"]);
});
