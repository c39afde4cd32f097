import { readFile } from "node:fs/promises";
import {
  createEngine,
  type EngineOptions,
  type QueryEngine,
  type SdkMessage,
  type SdkResult,
  violations,
} from "@pawl/core";
import { type TempWorkspace, tempWorkspace } from "@pawl/core/testing";

/** A project folder, and a config home that stands beside it and not in it. */
export type Place = { project: TempWorkspace; home: TempWorkspace; options: EngineOptions };

export async function place(files: Readonly<Record<string, string>> = {}): Promise<Place & AsyncDisposable> {
  const project = await tempWorkspace(files);
  const home = await tempWorkspace();
  const options: EngineOptions = {
    cwd: project.root,
    env: { PATH: process.env["PATH"], HOME: home.root, PAWL_CONFIG_DIR: home.root, PAWL_RETRY_BASE_MS: "1" },
  };
  return {
    project,
    home,
    options,
    async [Symbol.asyncDispose]() {
      await project.remove();
      await home.remove();
    },
  };
}

export type Turn = { frames: SdkMessage[]; result: SdkResult };

export async function turn(engine: QueryEngine, ...submitted: Parameters<QueryEngine["submitMessage"]>): Promise<Turn> {
  const frames: SdkMessage[] = [];
  for await (const frame of engine.submitMessage(...submitted)) frames.push(frame);
  const results = frames.filter((frame) => frame.type === "result");
  const [result] = results;
  if (result === undefined || results.length !== 1) throw new Error(`${results.length} results in one turn`);
  return { frames, result };
}

/** One turn of a new engine, which is closed afterwards. */
export async function oneTurn(options: EngineOptions, prompt = "go"): Promise<Turn & { violations: unknown[] }> {
  const engine = await createEngine(options);
  try {
    const done = await turn(engine, prompt);
    return { ...done, violations: violations(engine.messages, { as: "history" }) };
  } finally {
    await engine.close();
  }
}

/** The lines of a transcript. */
export async function lines(path: string | null): Promise<Record<string, unknown>[]> {
  if (path === null) throw new Error("no transcript");
  const text = await readFile(path, "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
