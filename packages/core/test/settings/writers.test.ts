import { type ChildProcess, spawn } from "node:child_process";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, onTestFinished, test } from "vitest";
import { tempWorkspace } from "../../src/testing/temp-workspace.ts";

const isLong = process.env["PAWL_LONG"] === "1";
const WRITERS = isLong ? 8 : 4;
const CHANGES = isLong ? 500 : 30;
const KILLS = isLong ? 60 : 6;

/** Sets a variable to each number in turn, and says each one that is done. */
const script = `
  import { updateSettings } from "./update-module.mjs";
  const [file, name, first, last] = process.argv.slice(2);
  for (let count = Number(first); count <= Number(last); count++) {
    await updateSettings(file, () => [{ path: ["env", name], value: String(count) }]);
    process.stdout.write(count + "\\n");
  }`;

async function compileWriter(outDir: string): Promise<string> {
  const input = { update: fileURLToPath(new URL("../../src/settings/update-settings.ts", import.meta.url)) };
  const output = { entryFileNames: "[name]-module.mjs" };
  const rolldownOptions = { input, output };
  await build({
    configFile: false,
    logLevel: "error",
    build: { ssr: true, outDir, emptyOutDir: false, rolldownOptions },
  });
  await writeFile(join(outDir, "writer.mjs"), script);
  return join(outDir, "writer.mjs");
}

/** A process that counts one variable up, says each change once it is done, and is killed now and then. */
class Writer {
  readonly name: string;
  done = 0;
  #child: ChildProcess | undefined;
  readonly #program: readonly string[];

  constructor(name: string, program: readonly string[]) {
    this.name = name;
    this.#program = program;
  }

  /** Starts it again, from the last change that it had said, until all are done. */
  async finish(): Promise<void> {
    while (this.done < CHANGES) {
      const args = [...this.#program, this.name, String(this.done + 1), String(CHANGES)];
      const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
      this.#child = child;
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      for await (const line of createInterface({ input: child.stdout })) this.done = Number(line);
      const code = await ended;
      if (code !== 0 && child.signalCode !== "SIGKILL") throw new Error(`${this.name} ended with ${code}`);
    }
  }

  kill(): void {
    this.#child?.kill("SIGKILL");
  }
}

test(
  `${WRITERS} processes that change a settings file ${CHANGES} times each, some of them killed, lose nothing and never tear it (B59)`,
  async () => {
    const workspace = await tempWorkspace();
    onTestFinished(workspace.remove);
    const program = await compileWriter(workspace.root);
    const file = join(workspace.root, "real.json");
    const link = join(workspace.root, "settings.json");
    const before =
      '{\n\t"later": 12345678901234567890,\n\t"env": {\n\t\t"KEEP": "yes"\n\t},\n\t"hooks": { "Stop": [] }\n}\n';
    await writeFile(file, before);
    await chmod(file, 0o640);
    await symlink(file, link);
    const writers = Array.from({ length: WRITERS }, (_, at) => new Writer(`P${at}`, [program, link]));
    let isDone = false;
    let kills = 0;
    const all = Promise.all(writers.map((each) => each.finish())).finally(() => {
      isDone = true;
    });
    const seen = new Map<string, number>();
    while (!isDone) {
      const { env } = JSON.parse(await readFile(file, "utf8")); // throws when it is torn
      expect(env.KEEP).toBe("yes");
      for (const { name, done } of writers) {
        const now = Number(env[name] ?? 0);
        expect(now).toBeGreaterThanOrEqual(seen.get(name) ?? 0);
        seen.set(name, now);
        expect(done).toBeLessThanOrEqual(CHANGES);
      }
      const victim = writers[kills % WRITERS];
      if (kills < KILLS && victim !== undefined && victim.done < CHANGES) {
        victim.kill();
        kills++;
      }
      await new Promise((resolve) => setTimeout(resolve, isLong ? 150 : 80));
    }
    await all;

    const after = await readFile(file, "utf8");
    expect(JSON.parse(after).env).toEqual({
      KEEP: "yes",
      ...Object.fromEntries(writers.map(({ name }) => [name, String(CHANGES)])),
    });
    // As the person has written it: order, tabs, a number that no double can hold, a list on one line.
    expect(after.replace(/,\n\t\t"P\d+": "\d+"/g, "")).toBe(before);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
    expect(kills).toBeGreaterThan(0);
    expect((await readdir(workspace.root)).filter((name) => name.endsWith(".lock"))).toEqual([]);
  },
  isLong ? 900_000 : 120_000,
);
