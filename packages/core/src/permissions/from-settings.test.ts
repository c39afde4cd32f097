import { expect, test } from "vitest";
import { mergeLayers } from "../settings/merge-layers.ts";
import { permissionsFromSettings } from "./from-settings.ts";

const fromUser = (permissions: object) =>
  permissionsFromSettings(mergeLayers([{ source: "userSettings", place: "settings.json", value: { permissions } }]));

test("the settings' rules keep their source, and the mode is read by name", () => {
  expect(fromUser({ allow: ["Read"], ask: ["Bash(git push *)"], deny: ["Bash(rm *)"], defaultMode: "manual" })).toEqual(
    {
      rules: {
        allow: [{ text: "Read", source: "userSettings", place: "settings.json", tool: "Read" }],
        ask: [
          {
            text: "Bash(git push *)",
            source: "userSettings",
            place: "settings.json",
            tool: "Bash",
            spec: "git push *",
          },
        ],
        deny: [{ text: "Bash(rm *)", source: "userSettings", place: "settings.json", tool: "Bash", spec: "rm *" }],
      },
      mode: "default",
      warnings: [],
    },
  );
});

test("a broken rule is a warning that names its file, and the rest is used; an unknown mode the settings have left out already", () => {
  expect(fromUser({ allow: ["Bash(x", "Read"], defaultMode: "yolo" })).toEqual({
    rules: {
      allow: [{ text: "Read", source: "userSettings", place: "settings.json", tool: "Read" }],
      ask: [],
      deny: [],
    },
    warnings: ['settings.json: permission rule "Bash(x" has no closing bracket; write "Bash(x)"; the rule is left out'],
  });
});

test("a broken rule of a file is told with the line that it stands in", () => {
  const text = '{\n  "permissions": {\n    "deny": [\n      "Read",\n      "Bash(rm"\n    ]\n  }\n}\n';
  const layer = {
    source: "userSettings",
    place: "/home/ann/.pawl/settings.json",
    value: JSON.parse(text),
    text,
  } as const;
  expect(permissionsFromSettings(mergeLayers([layer])).warnings).toEqual([
    expect.stringMatching(/^\/home\/ann\/\.pawl\/settings\.json:5: permission rule "Bash\(rm" has no closing bracket/),
  ]);
});
