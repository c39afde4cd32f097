import { spawn } from "node:child_process";
import { cp, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EngineOptions, PawlError } from "@pawl/core";
import type { Invocation } from "../invocation.ts";
import { type Style, styleFor } from "../print/terminal-text.ts";
import { TerminalView } from "../print/terminal-view.ts";
import { type Prompt, runTurns } from "../run-turns.ts";
import { changesBetween, readFolder } from "./changes.ts";

const task = "The tests of this project fail. Find out why, fix it, and show that the tests pass.";
const assets = new URL("../demo/", import.meta.url); // beside dist
const testCommands = ["Bash(node --test)", "Bash(node --test *)", "Bash(npm test)"];

/**
 * Lets the agent fix a small project with a failing test. Without a key the model's part is scripted; engine, tools and
 * tests are real either way.
 *
 * @returns 0 when the project's tests pass in the end, as a run of our own says.
 */
export async function demonstrate({ model: chosen }: Invocation): Promise<number> {
  const folder = await newFolder();
  try {
    return await fixProject(folder, chosen);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The demonstration's own, with the project in it. */
async function newFolder(): Promise<string> {
  try {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "pawl-demo-")));
    await cp(new URL("project/", assets), join(folder, "project"), { recursive: true });
    return folder;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const fix = "set TMPDIR to a folder that can be written";
    throw new PawlError("file_io", `The demonstration needs a folder in ${tmpdir()}: ${why}; ${fix}.`, {
      cause: error,
    });
  }
}

async function fixProject(folder: string, chosen: string | undefined): Promise<number> {
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  const style = styleFor(process.stdout);
  const cwd = join(folder, "project");
  const before = await readFolder(cwd);

  const model = chosen ?? (hasKey() ? undefined : `scripted:${fileURLToPath(new URL("scenario.yaml", assets))}`);
  print(style.bold("A demonstration: an agent fixes a small project that has a failing test."));
  print(modelNote(model));
  print(`The project: ${cwd}\n\n${style.bold(`> ${task}`)}\n`);

  const presenter = new TerminalView(process.stdout, { cwd });
  const run = await runTurns({ options: engineOptions(cwd, model), prompts: only({ content: task }), presenter });

  print(`\n${style.bold("What has changed:")}\n${await shownChanges(before, cwd, style)}`);
  const passes = await testsPass(cwd);
  print(`${passes ? style.green("The tests pass.") : style.red("The tests still fail.")}`);
  print(`All of it stays in ${folder} until you delete that folder.`);
  print(`The transcript: ${run.transcriptPath ?? "none"}`);
  return run.exitCode === 0 && !passes ? 1 : run.exitCode;
}

function hasKey(): boolean {
  const { ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN } = process.env;
  return Boolean(ANTHROPIC_API_KEY || ANTHROPIC_AUTH_TOKEN);
}

function modelNote(model: string | undefined): string {
  if (model?.startsWith("scripted:")) {
    return "The model is scripted: what it says was written beforehand. The engine, the tools and the tests are real.\nSet ANTHROPIC_API_KEY to let a real model do it.";
  }
  return model === undefined ? "The model is real." : `The model: ${model}.`;
}

/** Nothing of the user's own set-up takes part, and nothing is left in it. */
function engineOptions(cwd: string, model: string | undefined): EngineOptions {
  return {
    cwd,
    ...(model === undefined ? {} : { model }),
    permissionMode: "acceptEdits",
    allowedTools: testCommands,
    includePartialMessages: true,
    settingSources: [],
    entrypoint: "cli",
    env: { ...process.env, PAWL_CONFIG_DIR: join(cwd, "../sessions") },
  };
}

async function* only(prompt: Prompt): AsyncGenerator<Prompt> {
  yield prompt;
}

async function shownChanges(before: Map<string, string>, cwd: string, style: Style): Promise<string> {
  const patch = await changesBetween(before, await readFolder(cwd));
  if (patch === "") return "nothing\n";
  const paint = (line: string) => {
    if (line.startsWith("+")) return style.green(line);
    return line.startsWith("-") ? style.red(line) : line;
  };
  return patch.split("\n").map(paint).join("\n");
}

function testsPass(cwd: string): Promise<boolean> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ["--test"], { cwd, env, stdio: "ignore" });
    child.on("error", reject);
    child.on("close", (code) => resolve(code === 0));
  });
}
