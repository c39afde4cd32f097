import type { FileState } from "../../files/file-state-cache.ts";
import type { TextFile } from "../../files/workspace-files.ts";
import { messageOf } from "../../lib/error.ts";
import type { ToolContext } from "../tool.ts";
import type { FileChange } from "./apply-patch-plan.ts";

/** Takes back one change that was made. */
type Undo = { path: string; run(): Promise<void> };

/**
 * Makes the changes one after the other. When one fails those before it are taken back. Gives what went wrong, and which files
 * are changed all the same; undefined when all were made.
 */
export async function carryOut(changes: readonly FileChange[], context: ToolContext): Promise<string | undefined> {
  const undos: Undo[] = [];
  for (const change of changes) {
    try {
      await make(change, undos, context);
    } catch (error) {
      return `${messageOf(error)}\n${await takeBack(undos)}`;
    }
  }
  return undefined;
}

async function make(change: FileChange, undos: Undo[], context: ToolContext): Promise<void> {
  const { files } = context;
  const { path } = change;
  switch (change.type) {
    case "add":
      return add(path, { text: change.text, hasBom: false }, undos, context, true);
    case "update": {
      const { before, text } = change;
      const written = await files.writeText(path, { ...likeness(before), text, expectedHash: before.hash });
      const known = context.readState.get(await files.realPath(path));
      undos.push({ path, run: () => restore(path, before, written.hash, known, context) });
      return know(path, written, context, known?.hash === before.hash && known.isWhole);
    }
    case "delete":
      return remove(path, change.before, undos, context);
    case "move": {
      const { before, text, to } = change;
      await add(to, { ...likeness(before), text, mode: before.mode }, undos, context, false);
      return remove(path, before, undos, context);
    }
    default:
      return change satisfies never;
  }
}

const likeness = ({ hasBom, encoding }: TextFile) => ({ hasBom, encoding });

async function add(
  path: string,
  file: Parameters<ToolContext["files"]["writeText"]>[1],
  undos: Undo[],
  context: ToolContext,
  isWhole: boolean,
): Promise<void> {
  const written = await context.files.writeText(path, { ...file, expectedHash: null });
  undos.push({ path, run: () => unmake(path, written.hash, context) });
  await know(path, written, context, isWhole);
}

async function unmake(path: string, hash: string, { files, readState }: ToolContext): Promise<void> {
  await files.remove(path, hash);
  readState.delete(await files.realPath(path));
}

async function remove(path: string, before: TextFile, undos: Undo[], context: ToolContext): Promise<void> {
  const real = await context.files.realPath(path);
  const known = context.readState.get(real);
  await context.files.remove(path, before.hash);
  undos.push({ path, run: () => restore(path, before, null, known, context) });
  context.readState.delete(real);
}

/** The bytes come out as they were: an encoding gives back what it was decoded from. `known`: what was known of the file then. */
async function restore(
  path: string,
  before: TextFile,
  expectedHash: string | null,
  known: FileState | undefined,
  { files, readState }: ToolContext,
): Promise<void> {
  const { text, mode } = before;
  await files.writeText(path, { ...likeness(before), text, mode, expectedHash });
  const real = await files.realPath(path);
  if (known === undefined) readState.delete(real);
  else readState.set(real, known);
}

type Written = { hash: string; mtimeMs: number; size: number };

async function know(
  path: string,
  { hash, mtimeMs, size }: Written,
  context: ToolContext,
  isWhole: boolean,
): Promise<void> {
  context.readState.set(await context.files.realPath(path), { hash, mtimeMs, size, isWhole });
}

async function takeBack(undos: readonly Undo[]): Promise<string> {
  const left: string[] = [];
  for (const { path, run } of undos.toReversed()) {
    await run().catch((error: unknown) => void left.push(`${path}: ${messageOf(error)}`));
  }
  if (left.length === 0) return "No file was changed: what had been written before that was taken back.";
  return `What had been written before that could not be taken back everywhere:\n${left.join("\n")}`;
}
