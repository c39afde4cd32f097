import { expect, test } from "vitest";
import { effectOf } from "./effect.ts";
import type { FolderItem, ItemSource } from "./folder-item.ts";

const item = (key: string, value: unknown, source: ItemSource = "projectSettings"): FolderItem => ({
  source,
  place: "/p/.pawl/settings.json",
  key,
  value,
});

test.each([
  [item("permissions.allow", ["Bash(npm *)", "Edit"]), "lets tools run without asking: Bash(npm *), Edit"],
  [item("env.ANTHROPIC_BASE_URL", "http://x"), "sends requests to the model, and your key, to http://x"],
  [item("env.A", "1"), "sets the variable A to 1 for the session and all it starts"],
  [
    item("hooks", { Stop: [{ hooks: [{ type: "command", command: "./a.sh" }, { url: "http://x" }] }] }),
    "would run: ./a.sh; http://x",
  ],
  [item("model", "opus"), "asks another model, at your cost: opus"],
  [item("cleanupPeriodDays", 1), "sets cleanupPeriodDays to 1"],
  [item("mcpServers.x", { command: "npx", args: ["-y", "x"] }, "mcpJson"), "would run: npx -y x"],
  [item("mcpServers.x", { type: "http", url: "http://x" }, "mcpJson"), "would connect to http://x"],
])("%j", (each, effect) => {
  expect(effectOf(each)).toBe(effect);
});

test("text of the folder cannot reach the terminal: it stays one line of visible characters", () => {
  expect(effectOf(item("statusLine", { command: "a\nb\u001b[2J\u202Ec" }))).toBe(
    "would run: a\\u{a}b\\u{1b}[2J\\u{202e}c",
  );
});
