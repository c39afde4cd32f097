import type { ModelEvent } from "../../src/models/model.ts";
import { answerWith, halfAnswer, sse, wholeAnswer } from "./anthropic.ts";
import { loopbackServer } from "./loopback-server.ts";

/** What is to happen at once happens within this, on a busy machine too. */
export const PROMPT_MS = 1_000;

/** Gives every request the same whole answer. */
export const answering = () => loopbackServer((response) => answerWith(response, sse(...wholeAnswer("Hello."))));

/** Sends half an answer and then nothing. */
export const silent = () =>
  loopbackServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(sse(...halfAnswer("The first ha")));
  });

/** What `run` gives, and how long it took. */
export async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const started = performance.now();
  const value = await run();
  return { value, ms: performance.now() - started };
}

export const failureTypes = (events: readonly ModelEvent[]) =>
  events.map((event) => event.type === "failure" && event.failure.type);
