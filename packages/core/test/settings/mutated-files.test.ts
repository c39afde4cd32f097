import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openSettings } from "../../src/settings/settings-store.ts";
import { seeded } from "../recovery/seeded.ts";
import { damaged, settingsText, survivors } from "./mutate.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const FILES = isLong ? 10_000 : 200;
const FIRST_SEED = Number(process.env["PAWL_SEED"] ?? 1);

test(
  `of ${FILES} damaged settings files none stops the start, and no deny or ask rule that stands there is lost`,
  async () => {
    const home = await mkdtemp(join(tmpdir(), "pawl-mutated-"));
    const found = { lost: [] as string[], broken: 0, kept: 0 };
    try {
      for (let seed = FIRST_SEED; seed < FIRST_SEED + FILES; seed++) await look(seed, home, found);
    } finally {
      await rm(home, { recursive: true });
    }
    expect(found.lost).toEqual([]);
    // The damage is real, and there was something to lose.
    expect(found.broken).toBeGreaterThan(FILES / 4);
    expect(found.kept).toBeGreaterThan(FILES);
  },
  isLong ? 600_000 : 60_000,
);

async function look(
  seed: number,
  home: string,
  found: { lost: string[]; broken: number; kept: number },
): Promise<void> {
  const chance = seeded(seed);
  const bytes = damaged(settingsText(chance), chance);
  await writeFile(join(home, "settings.json"), bytes);
  const { permissions, warnings } = (
    await openSettings({ cwd: home, home, configHome: home, policyFolders: [] })
  ).current();
  if (warnings.some((warning) => /not valid JSON|not UTF-8/.test(warning))) found.broken++;
  for (const list of ["deny", "ask"] as const) {
    for (const rule of survivors(bytes, list)) {
      const isInForce = permissions[list].some(({ value }) => value === rule);
      if (isInForce) found.kept++;
      else found.lost.push(`seed ${seed}: ${list} ${rule}\n${bytes}`);
    }
  }
}
