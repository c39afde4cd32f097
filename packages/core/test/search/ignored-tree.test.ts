import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { rgPath } from "@vscode/ripgrep";
import { expect, test } from "vitest";
import { type TempWorkspace, tempWorkspace } from "../../src/testing/temp-workspace.ts";
import { createGlobTool } from "../../src/tools/builtin/glob.ts";
import { createGrepTool } from "../../src/tools/builtin/grep.ts";
import { toolSession } from "../support/tool-session.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const FOLDERS = isLong ? 300 : 10;
const FILES_A_FOLDER = 1_000;
const RUNS = 7;
/** Of the time that ripgrep takes alone, best of all runs side by side. */
const MAX_RATIO = 2;
/** On the small tree the start of the process is most of it. Milliseconds. */
const START_MS = isLong ? 0 : 100;

/** Ignored one by one, so that each is looked at: an ignored folder would be passed over as a whole. */
async function ignoredTree(): Promise<TempWorkspace> {
  const workspace = await tempWorkspace({ ".gitignore": "*.log\n", "f7/match.ts": "needle\n" });
  await mkdir(workspace.path(".git"));
  for (let folder = 0; folder < FOLDERS; folder++) {
    const path = workspace.path(`f${folder}`);
    await mkdir(path, { recursive: true });
    const names = Array.from({ length: FILES_A_FOLDER }, (_, index) => join(path, `${index}.log`));
    await Promise.all(names.map((name) => writeFile(name, "needle\n")));
  }
  return workspace;
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

test(
  "one match among many ignored files is found in less than twice the time of ripgrep alone",
  async () => {
    const workspace = await ignoredTree();
    const { context } = toolSession(workspace.root);
    const alone =
      (...args: string[]) =>
      async () => {
        const child = spawn(rgPath, args, { cwd: workspace.root, stdio: ["ignore", "pipe", "pipe"] });
        child.stdout.resume();
        const [code] = await once(child, "close");
        expect(code).toBe(0);
      };
    const best = {
      grep: Number.POSITIVE_INFINITY,
      rgSearch: Number.POSITIVE_INFINITY,
      glob: Number.POSITIVE_INFINITY,
      rgFiles: Number.POSITIVE_INFINITY,
    };
    const take = async (name: keyof typeof best, work: () => Promise<unknown>) => {
      best[name] = Math.min(best[name], await timeMs(work));
    };
    for (let run = 0; run < RUNS; run++) {
      await take("rgSearch", alone("--files-with-matches", "needle", "./"));
      await take("grep", async () => {
        expect((await createGrepTool().run({ pattern: "needle" }, context)).content).toBe("Found 1 file\nf7/match.ts");
      });
      await take("rgFiles", alone("--files"));
      await take("glob", async () => {
        expect((await createGlobTool().run({ pattern: "**/*.ts" }, context)).content).toBe("f7/match.ts");
      });
    }
    await workspace.remove();
    console.info(`${FOLDERS * FILES_A_FOLDER} ignored files, best of ${RUNS}, ms:`, best);
    expect(best.grep).toBeLessThan(MAX_RATIO * best.rgSearch + START_MS);
    expect(best.glob).toBeLessThan(MAX_RATIO * best.rgFiles + START_MS);
  },
  isLong ? 600_000 : 60_000,
);
