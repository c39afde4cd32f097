import { type TransferListItem, Worker } from "node:worker_threads";
import { untilAborted } from "./abort.ts";
import { deferred } from "./deferred.ts";
import { messageOf, systemCode } from "./error.ts";

/** What one thread may take of memory. Megabytes. */
const MAX_HEAP_MB = 1_024;

/** `name`: of the error in the thread, or `TimeUp`, `TooBig`, `Ended` when there is no thread any more. */
export type ThreadFailure = { failure: { name: string; message: string } };

/** Work beside everything else, that can be ended whatever it does. */
export type Thread<Question, Answer> = {
  /** One after the other. Rejects with PawlError `aborted` alone. */
  ask(question: Question, transfer?: readonly TransferListItem[]): Promise<Answer | ThreadFailure>;
  /** Its owner calls it whatever has happened. */
  close(): Promise<void>;
};

/**
 * Starts a thread for what a function in this one could not be stopped at: reading what strangers wrote, of which a few bytes
 * can ask for hours of work.
 *
 * @param file plain JavaScript that answers each message with one of type `Answer` or `ThreadFailure`.
 * @param maxMs all its questions together. `what` begins the message of an abort.
 */
export function startThread<Question, Answer>(
  file: URL,
  { maxMs, signal, what }: { maxMs: number; signal: AbortSignal; what: string },
): Thread<Question, Answer> {
  const worker = new Worker(file, {
    ...{ execArgv: [], env: {}, stdout: true, stderr: true },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const over = deferred<ThreadFailure>();
  const end = (name: string, message: string) => over.resolve({ failure: { name, message } });
  const timer = setTimeout(() => {
    end("TimeUp", `it took more than ${maxMs / 1000} s`);
    void worker.terminate();
  }, maxMs);
  worker.on("error", (error) => {
    if (systemCode(error) === "ERR_WORKER_OUT_OF_MEMORY")
      end("TooBig", `it takes more than ${MAX_HEAP_MB} MB of memory`);
    else end("Ended", messageOf(error));
  });
  worker.on("exit", () => end("Ended", "its reader has ended"));

  return {
    ask(question, transfer = []) {
      const answer = new Promise<Answer | ThreadFailure>((resolve) => worker.once("message", resolve));
      worker.postMessage(question, transfer);
      return untilAborted(Promise.race([answer, over.promise]), signal, what);
    },
    async close() {
      clearTimeout(timer);
      await worker.terminate();
    },
  };
}
