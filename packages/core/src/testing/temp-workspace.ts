import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve, sep } from "node:path";
import { PawlError } from "../lib/error.ts";

/** A folder of its own for one test. Names of files are relative to it. */
export type TempWorkspace = {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The absolute path of a file in the folder, which need not be there. */
  path(name: string): string;
  read(name: string): Promise<string>;
  /** Makes the folders above it. */
  write(name: string, text: string): Promise<void>;
  /** Takes the folder away with all that is in it. */
  remove(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A file that a child process is about to close may keep the folder for a moment. */
const REMOVE_TRIES = 5;

/**
 * Makes a temporary folder with these files. Take it away with `remove`, or let `await using` do it.
 *
 * @example
 * const workspace = await tempWorkspace({ "src/sum.js": "export const sum = (a, b) => a - b;\n" });
 * onTestFinished(workspace.remove);
 */
export async function tempWorkspace(files: Readonly<Record<string, string>> = {}): Promise<TempWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "pawl-")));

  function path(name: string): string {
    const absolute = resolve(root, name);
    if (absolute === root || absolute.startsWith(root + sep)) return absolute;
    throw new PawlError(
      "bad_option",
      `"${name}" lies outside the temporary folder ${root}; give a relative path inside it`,
    );
  }
  async function write(name: string, text: string): Promise<void> {
    await mkdir(dirname(path(name)), { recursive: true });
    await writeFile(path(name), text);
  }
  const remove = () => rm(root, { recursive: true, force: true, maxRetries: REMOVE_TRIES });

  for (const [name, text] of Object.entries(files)) await write(name, text);
  return { root, path, read: (name) => readFile(path(name), "utf8"), write, remove, [Symbol.asyncDispose]: remove };
}
