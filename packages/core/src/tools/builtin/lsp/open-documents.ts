import { pathToFileURL } from "node:url";
import type { WorkspaceFiles } from "../../../files/workspace-files.ts";

/** A longer file is not given to a server. Bytes. */
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** A server holds so many open at once; then the one that was asked about longest ago is closed. */
const MAX_OPEN = 50;

type Open = { path: string; uri: string; version: number; hash: string };
export type OpenDocument = { uri: string; version: number; text: string };
type Notify = (method: string, params: unknown) => void;

/** The files that a server sees through us, as they are on disk. */
export class OpenDocuments {
  readonly #open = new Map<string, Open>();
  readonly #notify: Notify;
  readonly #changed: (uri: string) => void;
  /** One after the other: a server must not be told twice that a file is opened. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(notify: Notify, changed: (uri: string) => void) {
    this.#notify = notify;
    this.#changed = changed;
  }

  /** Brings the server up to date with this file and with all that it has open. @throws PawlError `file_*`, `aborted`. */
  sync(path: string, language: string, files: WorkspaceFiles, signal: AbortSignal): Promise<OpenDocument> {
    const synced = this.#last.then(() => this.#sync(path, language, files, signal));
    this.#last = synced.catch(() => {});
    return synced;
  }

  async #sync(path: string, language: string, files: WorkspaceFiles, signal: AbortSignal): Promise<OpenDocument> {
    for (const open of [...this.#open.values()]) if (open.path !== path) await this.#refresh(open, files, signal);
    const { text, hash } = await files.readText(path, { signal, maxBytes: MAX_FILE_BYTES });
    const before = this.#open.get(path);
    this.#open.delete(path); // the newest stands last
    const open = before === undefined ? this.#begin(path, language, text, hash) : this.#update(before, text, hash);
    this.#open.set(path, open);
    const [oldest] = this.#open.values();
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#close(oldest);
    return { uri: open.uri, version: open.version, text };
  }

  /** Makes the server look at an unchanged text anew. Gives its new version. */
  sendAgain({ uri, text }: OpenDocument): number {
    const open = [...this.#open.values()].find((each) => each.uri === uri);
    if (open === undefined) return 1;
    const next = this.#send(open, text, open.hash);
    this.#open.set(open.path, next);
    return next.version;
  }

  #begin(path: string, languageId: string, text: string, hash: string): Open {
    const uri = pathToFileURL(path).href;
    this.#notify("textDocument/didOpen", { textDocument: { uri, languageId, version: 1, text: text.toWellFormed() } });
    return { path, uri, version: 1, hash };
  }

  #update(open: Open, text: string, hash: string): Open {
    return open.hash === hash ? open : this.#send(open, text, hash);
  }

  #send(open: Open, text: string, hash: string): Open {
    const { uri } = open;
    const version = open.version + 1;
    this.#changed(uri);
    const contentChanges = [{ text: text.toWellFormed() }];
    this.#notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges });
    this.#notify("textDocument/didSave", { textDocument: { uri } });
    return { ...open, version, hash };
  }

  async #refresh(open: Open, files: WorkspaceFiles, signal: AbortSignal): Promise<void> {
    if ((await files.hash(open.path, MAX_FILE_BYTES)) === open.hash) return;
    try {
      const { text, hash } = await files.readText(open.path, { signal, maxBytes: MAX_FILE_BYTES });
      this.#open.set(open.path, this.#update(open, text, hash));
    } catch (error) {
      if (signal.aborted) throw error;
      this.#close(open); // it is gone, or is no text any more
    }
  }

  #close({ path, uri }: Open): void {
    this.#open.delete(path);
    this.#changed(uri);
    this.#notify("textDocument/didClose", { textDocument: { uri } });
  }
}
