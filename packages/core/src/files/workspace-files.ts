import type { TextEncoding } from "./foreign-text.ts";

/**
 * Reads and writes files for tools; a remote workspace is another value of this type. Paths are absolute.
 *
 * Every function throws PawlError `file_*` for what is wrong with a file, `aborted` when its signal aborts.
 */
export interface WorkspaceFiles {
  /** The whole of a regular text file of at most `maxBytes`, in whatever encoding. */
  readText(path: string, options: { signal: AbortSignal; maxBytes: number }): Promise<TextFile>;
  /** Some lines of a regular text file of at most `maxBytes`. Read to its end; of UTF-8 only the lines asked for are held. */
  readLines(path: string, request: LineRequest): Promise<LineRange>;
  /** The whole of a regular file of at most `maxBytes`, as it is. */
  readBytes(path: string, options: { signal: AbortSignal; maxBytes: number }): Promise<BinaryFile>;
  /** The first `headBytes` of a regular file of any size, or all it has. */
  readHead(path: string, options: { signal: AbortSignal; headBytes: number }): Promise<Buffer>;
  /** Atomic: temp file beside the target, rename; keeps mode; a link's target is written. Makes parent folders. */
  writeText(path: string, file: NewText): Promise<FileStamp & { hash: string }>;
  /** Removes a regular file whose bytes have `expectedHash`; a link is refused. */
  remove(path: string, expectedHash: string): Promise<void>;
  /** Undefined when nothing is there, also at the end of a dangling link. */
  stat(path: string): Promise<(FileStamp & { isDirectory: boolean; isRegular: boolean }) | undefined>;
  /** Hex SHA-256 of a regular file; null when nothing is there, undefined when it cannot be read or is over `maxBytes`. */
  hash(path: string, maxBytes: number): Promise<string | null | undefined>;
  /** Links resolved; what is not there yet is added to its nearest existing ancestor's real path. */
  realPath(path: string): Promise<string>;
  /**
   * The same files for one call: each path is followed once, by the first question about it, and means that place from then
   * on. So what a decision has looked at is what is read and written; `file_moved` when a link has come in between.
   */
  pinned(): WorkspaceFiles;
  /** What is in a folder, at most `maxEntries`; undefined when there is no such folder, it cannot be read or holds more. */
  list?(path: string, maxEntries: number): Promise<readonly FolderEntry[] | undefined>;
}

/** One name in a folder; a link is a link, wherever it leads. */
export type FolderEntry = { name: string; type: "file" | "folder" | "link" | "other" };

export type FileStamp = { mtimeMs: number; size: number; mode: number };

export type BinaryFile = FileStamp & { bytes: Buffer; hash: string };

export type TextFile = FileStamp & {
  /** Decoded, line endings as on disk, without byte order mark. A byte that is no character is half of one, U+DC80 to U+DCFF. */
  text: string;
  /** Of the bytes, hex SHA-256. */
  hash: string;
  hasBom: boolean;
  encoding: TextEncoding;
  /** An encoding that it may be in just as well. */
  doubt?: TextEncoding;
};

/**
 * UTF-8 unless `encoding` says otherwise; refused (`file_encoding`) when the encoding has no bytes for the text. `expectedHash`:
 * refused (`file_changed`) when the bytes on disk are others; null: the file must not be there. `mode`: of a file that is new.
 */
export type NewText = {
  text: string;
  hasBom: boolean;
  encoding?: TextEncoding;
  expectedHash?: string | null;
  mode?: number;
};

/** `offset` is the first line, counted from 1; without `limit` all that follow. Of the text at most `maxTextBytes` are held. */
export type LineRequest = {
  signal: AbortSignal;
  maxBytes: number;
  offset: number;
  limit?: number;
  maxTextBytes: number;
};

export type LineRange = FileStamp & {
  hash: string;
  hasBom: boolean;
  encoding: TextEncoding;
  /** Without their endings. */
  lines: string[];
  /** Whether `lines` ends before the range does; its last line may then lack its end. */
  isCut: boolean;
  /** Lines and UTF-8 bytes of the whole range, also of what was cut. */
  rangeLines: number;
  rangeBytes: number;
  /** A final line ending is followed by one more, empty line. 0 for an empty file. */
  totalLines: number;
};
