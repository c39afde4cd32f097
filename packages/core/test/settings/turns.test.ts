import { createEngine } from "@pawl/core";
import { says, scriptedModel, uses } from "@pawl/core/testing";
import { expect, test } from "vitest";
import { place, turn } from "../scenarios/engine-harness.ts";

const options = { allowedTools: ["Bash"], managedSettingsFolders: [] };
const echo = uses("Bash", { command: 'echo "x=$X"' });

const resultsOf = (frames: readonly unknown[]): string =>
  JSON.stringify(frames.filter((frame) => JSON.stringify(frame).includes("tool_result")));

test("a rule, a variable and a folder that the settings get between two turns count in the second", async () => {
  await using at = await place();
  const outside = `${at.home.root}/more`;
  await at.home.write("more/a.txt", "the text\n");
  const model = scriptedModel([
    echo,
    says("1"),
    echo,
    uses("Read", { file_path: `${outside}/a.txt` }),
    says("2"),
    echo,
    says("3"),
  ]);
  await using engine = await createEngine({ ...at.options, ...options, model, tools: ["Bash", "Read"] });
  const settings = (value: object) => at.home.write("settings.json", JSON.stringify(value));

  expect(resultsOf((await turn(engine, "go")).frames)).toContain("x=");
  await settings({ env: { X: "new" }, permissions: { additionalDirectories: [outside, "nowhere"] } });
  const second = await turn(engine, "go");
  expect(resultsOf(second.frames)).toContain("x=new");
  expect(resultsOf(second.frames)).toContain("the text");
  expect(JSON.stringify(second.frames)).toMatch(/settings\.json:1: \\"nowhere\\" is left out/);
  await settings({ permissions: { deny: ["Bash(echo *)"] } });
  const third = await turn(engine, "go");
  expect(third.result.permission_denials).toHaveLength(1);
});

test("a settings file that breaks between two turns takes no rule away, and the second turn says so", async () => {
  await using at = await place();
  await at.home.write("settings.json", '{"permissions": {"deny": ["Bash(echo *)"]}}');
  const model = scriptedModel([says("1"), echo, says("2")]);
  await using engine = await createEngine({ ...at.options, ...options, model });

  await turn(engine, "go");
  await at.home.write("settings.json", '{"permissions": {"deny": ["Ba');
  const second = await turn(engine, "go");

  expect(second.result.permission_denials).toHaveLength(1);
  const said = second.frames.filter((frame) => frame.type === "system" && frame.subtype === "informational");
  expect(said).toMatchObject([
    { content: expect.stringContaining("what the file said before stays in force"), level: "warning" },
  ]);
});

test("settings of the options win over the files, and a policy over both", async () => {
  await using at = await place();
  await at.home.write("settings.json", '{"env": {"X": "file", "Y": "file"}}');
  const model = scriptedModel([uses("Bash", { command: 'echo "$X $Y"' }), says("1")]);
  const given = { settings: '{"env": {"X": "option", "Y": "option"}}', managedSettings: { env: { Y: "policy" } } };
  await using engine = await createEngine({ ...at.options, ...options, ...given, model });

  expect(resultsOf((await turn(engine, "go")).frames)).toContain("option policy");
  const broken = createEngine({ ...at.options, model: scriptedModel([]), settings: '{"env": }' });
  await expect(broken).rejects.toMatchObject({
    code: "settings_invalid",
    message: expect.stringMatching(/^--settings:1:9: not valid JSON/),
  });
  const missing = createEngine({ ...at.options, model: scriptedModel([]), settings: "none.json" });
  await expect(missing).rejects.toMatchObject({
    code: "settings_invalid",
    message: expect.stringMatching(/there is no file .*none\.json/),
  });
});
