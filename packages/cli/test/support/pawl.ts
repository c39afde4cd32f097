import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { SdkMessage } from "@pawl/core";
import { vi } from "vitest";

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));
export const program = pathOf("../../bin/pawl.js");

/** These tests start many processes, which a busy machine does slowly. */
const TEST_TIMEOUT_MS = 60_000;
vi.setConfig({ testTimeout: TEST_TIMEOUT_MS });
const APPEARS_WAIT_MS = 15_000;

const isBuilt = spawnSync(process.execPath, [pathOf("../../../../scripts/build.mjs"), "--check"]).status === 0;
if (!isBuilt) throw new Error("These tests run the built program, which is older than its sources: npm run build");

type Ended = { code: number | null; stdout: string; stderr: string };
export type Step = { answer: readonly Record<string, unknown>[]; [field: string]: unknown };

/** A folder for one test, with a config home of its own, removed when the test ends. */
export class Workspace {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<Workspace> {
    return new Workspace(await realpath(await mkdtemp(join(tmpdir(), "pawl-cli-"))));
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** Writes a scenario and gives the flags that play it. */
  async plays(steps: readonly Step[]): Promise<string[]> {
    await writeFile(this.path("scenario.json"), JSON.stringify({ version: 1, name: "test", steps }));
    return ["--model", `scripted:${this.path("scenario.json")}`];
  }

  start(args: readonly string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
    return this.#spawn(process.execPath, [program, ...args], env);
  }

  /** Runs a line of the shell, in which `pawl` is the program and `$NODE` its Node. */
  async shell(line: string, env: Record<string, string> = {}): Promise<Ended> {
    const definition = 'pawl() { "$NODE" "$PROGRAM" "$@"; }';
    const own = { NODE: process.execPath, PROGRAM: program, ...env };
    const child = this.#spawn("sh", ["-c", `${definition}; ${line}`], own);
    child.stdin.end();
    return ended(child);
  }

  #spawn(command: string, args: readonly string[], env: Record<string, string>): ChildProcessWithoutNullStreams {
    const { ANTHROPIC_API_KEY: _key, ANTHROPIC_AUTH_TOKEN: _token, ...inherited } = process.env;
    return spawn(command, args, {
      cwd: this.folder,
      env: { ...inherited, HOME: this.folder, PAWL_CONFIG_DIR: this.path(".config"), ...env },
    });
  }

  /** Runs the program to its end; standard input is closed after `stdin`. */
  async run(
    args: readonly string[],
    stdin: string | Uint8Array = "",
    env: Record<string, string> = {},
  ): Promise<Ended> {
    const child = this.start(args, env);
    child.stdin.on("error", () => {}); // it may end without reading
    child.stdin.end(stdin);
    return ended(child);
  }

  /** Waits until a file holds a whole line. */
  async appears(name: string): Promise<void> {
    const deadline = Date.now() + APPEARS_WAIT_MS;
    while (!(await this.#hasLine(name))) {
      if (Date.now() > deadline) throw new Error(`${name} did not come to be in ${APPEARS_WAIT_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  async #hasLine(name: string): Promise<boolean> {
    try {
      return (await readFile(this.path(name), "utf8")).endsWith("\n");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

/** Collects what a process says until it ends. */
export async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve));
  return { code, stdout, stderr };
}

/** Resolves when the text has come on the stream. */
export async function says(stream: NodeJS.ReadableStream, text: string): Promise<void> {
  let heard = "";
  await new Promise<void>((resolve) => {
    const listen = (chunk: Buffer | string) => {
      heard += chunk.toString();
      if (!heard.includes(text)) return;
      stream.off("data", listen);
      resolve();
    };
    stream.on("data", listen);
  });
}

/** The frames of stream-json; throws when a line is not whole. */
export function framesOf(stdout: string): SdkMessage[] {
  if (!stdout.endsWith("\n")) throw new Error("the last line has no newline");
  return stdout
    .slice(0, -1)
    .split("\n")
    .map((line): SdkMessage => JSON.parse(line));
}

export const resultsOf = (stdout: string) => framesOf(stdout).filter((frame) => frame.type === "result");
