import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { tempWorkspace } from "../../src/testing/temp-workspace.ts";
import { SESSION } from "./transcripts.ts";

/** A process that appends numbered entries to a session as fast as it can, and says which were acknowledged. */
type WriterProcess = AsyncDisposable & {
  child: ChildProcess;
  /** Resolves once something was acknowledged. */
  started: Promise<unknown>;
  /** The last number that was. */
  acknowledged(): number;
  /** Why it stopped by itself. */
  failure(): string | undefined;
  closed: Promise<unknown>;
  kill(): Promise<void>;
};

export type WriterProgram = AsyncDisposable & {
  /** `maxFileBlocks`: the most a file may grow to, as the system's limit has it. */
  start(configHome: string, limits?: { maxFileBlocks: number }): WriterProcess;
};

export async function writerProgram(): Promise<WriterProgram> {
  const folder = await tempWorkspace();
  await compileWriter(folder.root);
  const script = join(folder.root, "writer.mjs");
  return {
    start(configHome, limits) {
      const command = `${limits ? `ulimit -f ${limits.maxFileBlocks}; ` : ""}exec "$@"`;
      const args = ["-c", command, "sh", process.execPath, script, configHome, SESSION];
      return follow(spawn("/bin/sh", args, { stdio: ["ignore", "pipe", "inherit"] }));
    },
    [Symbol.asyncDispose]: folder.remove,
  };
}

function follow(child: ChildProcess): WriterProcess {
  if (child.stdout === null) throw new Error("the writer has no output");
  const lines = createInterface({ input: child.stdout });
  let last = -1;
  let failure: string | undefined;
  lines.on("line", (line) => {
    if (line.startsWith("failed: ")) failure = line;
    else last = Number(line);
  });
  const closed = once(child, "close");
  async function kill() {
    child.kill("SIGKILL");
    await closed;
  }
  return {
    child,
    started: once(lines, "line"),
    acknowledged: () => last,
    failure: () => failure,
    closed,
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function compileWriter(outDir: string): Promise<void> {
  const source = (name: string) => fileURLToPath(new URL(`../../src/transcript/${name}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      minify: false,
      rolldownOptions: {
        input: { writer: source("jsonl-writer.ts"), reader: source("reader.ts") },
        output: { entryFileNames: "[name]-module.mjs" },
      },
    },
  });
  await writeFile(
    join(outDir, "writer.mjs"),
    `import { join } from "node:path";
    import { openTranscript } from "./writer-module.mjs";
    import { readTranscript } from "./reader-module.mjs";
    const [, , configHome, sessionId] = process.argv;
    const file = join(configHome, "projects", "-w", sessionId + ".jsonl");
    const lastFence = await readTranscript(file).then(({ fence }) => fence, () => 0);
    const place = { sessionId, file, project: { configHome, realCwd: "/w" } };
    const about = { cwd: "/w", version: "0.1.0", entrypoint: "cli", now: Date.now };
    const store = await openTranscript({ place, lastFence, ...about });
    let failure;
    let last = -1;
    for (let value = 0; failure === undefined; value += 3) {
      const append = (value) => store.append({ type: "state", part: "notes", value });
      for (const outcome of await Promise.allSettled([append(value), append(value + 1), append(value + 2)])) {
        if (outcome.status === "rejected") failure = outcome.reason;
        else last++;
      }
      process.stdout.write(last + "\\n");
    }
    process.stdout.write("failed: " + failure.code + " " + failure.message + "\\n");
    await store.close();`,
  );
}
