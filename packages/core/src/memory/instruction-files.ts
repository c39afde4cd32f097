import { open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { realPath } from "../files/real-path.ts";
import { messageOf } from "../lib/error.ts";
import { importsIn } from "./imports.ts";

/** A longer file is cut, with a note. Bytes. */
export const MAX_INSTRUCTION_FILE_BYTES = 40 * 1024;
/** Beyond this many, those farthest from the current directory are left out. */
export const MAX_INSTRUCTION_FILES = 12;
/** Imports of imports are followed so far. */
const MAX_IMPORT_HOPS = 4;
/** More imported files are left out, with a warning. */
export const MAX_IMPORTED_FILES = 20;

/** In each folder the first that is there is read. */
const fileNames = ["CLAUDE.md", "AGENTS.md"] as const;

type InstructionFile = { path: string; text: string };
type InstructionFiles = { files: InstructionFile[]; warnings: string[] };

type InstructionSearch = {
  /** Absolute. */
  cwd: string;
  home: string;
  configHome: string;
  /** Absolute real paths of the working directories: links may lead into them. */
  roots: readonly string[];
};

/**
 * The instruction files that apply in `cwd`: the user's own first, then from the repository's root (outside a repository the
 * file system's) down to `cwd`. A link is followed only into its own folder, the repository or the roots, the user's own
 * into the home folder; the same holds of what a file imports as `@path`, which follows it. Never throws: what cannot be read
 * is left out with a warning.
 */
export async function findInstructionFiles(search: InstructionSearch): Promise<InstructionFiles> {
  const { cwd, home, configHome, roots } = search;
  const warnings: string[] = [];
  const reading: Reading = { home, seen: new Set(), warnings, imported: 0 };
  const { folders, repository } = await foldersUpFrom(cwd);
  const near: InstructionFile[] = [];
  const shared = repository === undefined ? roots : [repository, ...roots];
  for (const folder of folders) {
    if (near.length < MAX_INSTRUCTION_FILES) near.push(...(await instructionsIn(folder, shared, reading)));
  }
  const own = await instructionsIn(configHome, [home], reading);
  const files: InstructionFile[] = [];
  for (const file of own) files.push(file, ...(await importedBy(file, [configHome, home], reading)));
  for (const file of near.reverse())
    files.push(file, ...(await importedBy(file, [dirname(file.path), ...shared], reading)));
  return { files, warnings };
}

/** `cwd` and the folders above it up to the repository's root, or to the file system's when there is no repository. */
async function foldersUpFrom(cwd: string): Promise<{ folders: string[]; repository?: string }> {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    folders.push(folder);
    if (await isThere(join(folder, ".git"))) return { folders, repository: folder };
    if (dirname(folder) === folder) return { folders };
  }
}

/** What is known while files are read. `seen`: real paths. */
type Reading = { home: string; seen: Set<string>; warnings: string[]; imported: number };

/** What a file imports, each followed by its own imports. A mention of what is no file is no import. */
async function importedBy(
  { path, text }: InstructionFile,
  mayLeadInto: readonly string[],
  reading: Reading,
  hops = MAX_IMPORT_HOPS,
): Promise<InstructionFile[]> {
  if (hops === 0) return [];
  const files: InstructionFile[] = [];
  for (const named of importsIn(text)) {
    const imported = named.startsWith("~/") ? join(reading.home, named.slice(2)) : resolve(dirname(path), named);
    const file = await importedFile(imported, path, mayLeadInto, reading);
    if (file !== undefined) files.push(file, ...(await importedBy(file, mayLeadInto, reading, hops - 1)));
  }
  return files;
}

async function importedFile(
  path: string,
  by: string,
  mayLeadInto: readonly string[],
  reading: Reading,
): Promise<InstructionFile | undefined> {
  try {
    if (!(await stat(path).catch(() => undefined))?.isFile()) return undefined;
    const text = await readInstructions(path, mayLeadInto, reading.seen);
    if (text === undefined || text === "") return undefined;
    if (++reading.imported <= MAX_IMPORTED_FILES) return { path, text };
    throw new Error(`more than ${MAX_IMPORTED_FILES} files are imported`);
  } catch (error) {
    reading.warnings.push(`${path}, which ${by} imports, was left out: ${messageOf(error)}`);
    return undefined;
  }
}

/** The folder's instruction file, if it has one that says something and was not seen under another path. */
async function instructionsIn(
  folder: string,
  mayLeadInto: readonly string[],
  { seen, warnings }: Reading,
): Promise<InstructionFile[]> {
  for (const name of fileNames) {
    const path = join(folder, name);
    try {
      const text = await readInstructions(path, [folder, ...mayLeadInto], seen);
      if (text !== undefined) return text === "" ? [] : [{ path, text }];
    } catch (error) {
      warnings.push(`${path} was left out: ${messageOf(error)}`);
    }
  }
  return [];
}

/** The text, empty when there is nothing new in it; undefined when there is no such file. */
async function readInstructions(
  path: string,
  mayLeadInto: readonly string[],
  seen: Set<string>,
): Promise<string | undefined> {
  if (!(await isThere(path))) return undefined;
  const real = await realPath(path);
  const folders = await Promise.all(mayLeadInto.map((folder) => realPath(folder)));
  if (!folders.some((folder) => real.startsWith(folder.endsWith("/") ? folder : `${folder}/`))) {
    const where = real === path ? "it lies" : `it is a link to ${real},`;
    throw new Error(`${where} outside this project; copy the text instead`);
  }
  if (!(await stat(real)).isFile()) throw new Error("it is no regular file");
  if (seen.has(real)) return "";
  seen.add(real);
  return readStart(real);
}

async function readStart(path: string): Promise<string> {
  const handle = await open(path, "r");
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_INSTRUCTION_FILE_BYTES + 1), 0);
    const isCut = bytesRead > MAX_INSTRUCTION_FILE_BYTES;
    // `stream` leaves out the half of a character that a cut would show as garbage.
    const text = new TextDecoder().decode(buffer.subarray(0, Math.min(bytesRead, MAX_INSTRUCTION_FILE_BYTES)), {
      stream: isCut,
    });
    return isCut
      ? `${text}\n[Cut here: only the first ${MAX_INSTRUCTION_FILE_BYTES / 1024} KB are read.]`
      : text.trim();
  } finally {
    await handle.close();
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false; // also what may not be looked at: it could not be read either
  }
}
