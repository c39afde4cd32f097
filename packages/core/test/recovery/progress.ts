/** How often a long test says how far it is. Milliseconds. */
const PROGRESS_MS = 30_000;

/** To be called for each piece of work that is done: says now and then how many of `total` are, on stderr. */
export function progress(what: string, total: number): () => void {
  let done = 0;
  let toldAt = performance.now();
  return () => {
    done += 1;
    if (performance.now() - toldAt < PROGRESS_MS && done < total) return;
    toldAt = performance.now();
    process.stderr.write(`${what} ${done} of ${total}\n`);
  };
}
