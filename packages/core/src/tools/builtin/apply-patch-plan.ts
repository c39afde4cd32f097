import { extname } from "node:path";
import { applyHunks } from "../../files/apply-hunks.ts";
import { encodeForeign } from "../../files/foreign-text.ts";
import { requireKnownEncoding } from "../../files/known-encoding.ts";
import { type FilePatch, type Hunk, patchError } from "../../files/patch.ts";
import type { TextFile } from "../../files/workspace-files.ts";
import type { ToolContext } from "../tool.ts";
import { absolutePath, MAX_EDITABLE_BYTES } from "./file-result.ts";
import { existingPath, lookAlike } from "./similar-file.ts";

/** What is to be done with one file. Paths are absolute. */
export type FileChange =
  | { type: "add"; path: string; text: string }
  | { type: "delete"; path: string; before: TextFile }
  | { type: "update"; path: string; before: TextFile; text: string }
  | { type: "move"; path: string; to: string; before: TextFile; text: string };

/** Everything that can be wrong is found here, before any file is changed. */
export async function planPatch(files: readonly FilePatch[], context: ToolContext): Promise<FileChange[]> {
  const changes: FileChange[] = [];
  for (const file of files) changes.push(await planned(file, context));
  await refuseTwice(changes, context);
  return changes;
}

/** Two names of one file, such as a link and its target: the second change would be made to what the first has left. */
async function refuseTwice(changes: readonly FileChange[], { files }: ToolContext): Promise<void> {
  const seen = new Map<string, string>();
  for (const path of changes.flatMap((change) => (change.type === "move" ? [change.path, change.to] : [change.path]))) {
    const real = await files.realPath(path);
    const before = seen.get(real);
    if (before !== undefined)
      throw patchError(`${path} and ${before} are the same file. Put all changes of a file into one section.`);
    seen.set(real, path);
  }
}

async function planned(file: FilePatch, context: ToolContext): Promise<FileChange> {
  const path = absolutePath(file.path, context.cwd);
  refuseNotebook(path);
  if (file.type === "add") {
    await requireNothingThere(path, context);
    return { type: "add", path, text: file.lines.map((line) => `${line}\n`).join("") };
  }
  await requireThere(path, context);
  const before = await context.files.readText(path, { signal: context.signal, maxBytes: MAX_EDITABLE_BYTES });
  if (file.type === "delete") return { type: "delete", path, before };
  const text = applyHunks(path, before.text, file.hunks);
  requireKnownEncoding(path, before, addedText(file.hunks));
  await encodeForeign(path, { ...before, text });
  if (file.moveTo === undefined) {
    if (text === before.text) throw patchError(`The patch leaves ${path} as it is.`);
    return { type: "update", path, before, text };
  }
  const to = absolutePath(file.moveTo, context.cwd);
  refuseNotebook(to);
  await requireNothingThere(to, context);
  return { type: "move", path, to, before, text };
}

const addedText = (hunks: readonly Hunk[]) =>
  hunks.flatMap(({ lines }) => lines.flatMap(({ type, text }) => (type === "add" ? [text] : []))).join("");

function refuseNotebook(path: string): void {
  if (extname(path).toLowerCase() !== ".ipynb") return;
  throw patchError(`${path} is a Jupyter Notebook. Use NotebookEdit to change it.`);
}

async function requireThere(path: string, context: ToolContext): Promise<void> {
  const found = await existingPath(path, context);
  if (found === undefined || found === path) return;
  throw patchError(`${path} does not exist. Did you mean ${found}?`);
}

async function requireNothingThere(path: string, context: ToolContext): Promise<void> {
  const alike = await lookAlike(path, context);
  if (alike !== undefined) throw patchError(alike);
  if ((await context.files.stat(path)) === undefined) return;
  throw patchError(`${path} exists already. Use *** Update File to change it.`);
}
