/** Of so many files at most the last word of the server is kept. */
const MAX_FILES = 500;

type Published = { version: number | undefined; diagnostics: readonly unknown[] };

/** What a server has said by itself is wrong with files, and a wait for its next word. */
export class PublishedDiagnostics {
  readonly #files = new Map<string, Published>();
  readonly #waiting = new Set<(uri: string) => void>();

  publish(uri: string, diagnostics: readonly unknown[], version: number | undefined): void {
    this.#files.delete(uri);
    this.#files.set(uri, { version, diagnostics });
    const [oldest] = this.#files.keys();
    if (this.#files.size > MAX_FILES && oldest !== undefined) this.#files.delete(oldest);
    for (const hear of this.#waiting) hear(uri);
  }

  /** What was said of the file as it is now; undefined when nothing was. A server that names no version means the newest. */
  of(uri: string, version: number): readonly unknown[] | undefined {
    const published = this.#files.get(uri);
    return published !== undefined && (published.version ?? version) >= version ? published.diagnostics : undefined;
  }

  /** What was said of a text that has changed since counts no more. */
  forget(uri: string): void {
    this.#files.delete(uri);
  }

  /** Resolves once there is a word about the file, at the latest after `ms` or when `signal` aborts. */
  heard(uri: string, ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(hear);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const hear = (published: string) => {
        if (published === uri) done();
      };
      const timer = setTimeout(done, ms);
      this.#waiting.add(hear);
      signal.addEventListener("abort", done, { once: true });
      if (signal.aborted) done();
    });
  }
}
