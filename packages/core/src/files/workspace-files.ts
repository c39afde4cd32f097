/** Reads and writes files for tools; a remote workspace is another value of this type. Paths are absolute. */
export interface WorkspaceFiles {
  /** Regular files only, at most `maxBytes`. Throws PawlError `file_*`. */
  readText(path: string, options: { signal: AbortSignal; maxBytes: number }): Promise<TextFile>;
  /** Atomic: temp file beside the target, rename; keeps mode; a link's target is written. Makes parent folders. */
  writeText(path: string, file: NewText): Promise<FileStamp>;
  stat(path: string): Promise<(FileStamp & { isDirectory: boolean }) | undefined>;
  /** Links resolved; of a path that is not there yet, its nearest existing ancestor's. */
  realPath(path: string): Promise<string>;
}

export type FileStamp = { mtimeMs: number; size: number; mode: number };

export type TextFile = FileStamp & {
  /** Decoded, line endings as on disk, without byte order mark. */
  text: string;
  /** Of the bytes, hex SHA-256. */
  hash: string;
  hasBom: boolean;
};

/** Encoded as UTF-8. `expectedHash`: refuses (`file_changed`) when the bytes on disk are others; null: the file must not be there. */
export type NewText = { text: string; hasBom: boolean; expectedHash?: string | null };
