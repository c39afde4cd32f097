import { expect, test } from "vitest";
import type { ModelId } from "../messages/message.ts";
import { ask, user } from "../testing/conversation.ts";
import { says, scriptedModel, stalls } from "../testing/scripted-model.ts";
import { endingOnAbort } from "./liveness.ts";
import type { Model, ModelEvent } from "./model.ts";

const PROMPT_MS = 1_000;

/** A provider that begins an answer and then never settles, aborted or not. */
function deaf(onReturn?: () => Promise<void>): Model {
  const start: ModelEvent = { type: "message_start", id: "msg_1", model: "deaf" as ModelId };
  return {
    id: "deaf" as ModelId,
    provider: "test",
    limits: { contextTokens: 1, maxOutputTokens: 1 },
    stream: () => {
      let asked = 0;
      return {
        [Symbol.asyncIterator]: () => ({
          next: () => (asked++ === 0 ? Promise.resolve({ done: false, value: start }) : new Promise(() => {})),
          return: async () => {
            await onReturn?.();
            return { done: true, value: undefined };
          },
        }),
      };
    },
  };
}

async function timed<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const startedAt = performance.now();
  const value = await run();
  return { value, ms: performance.now() - startedAt };
}

function abortingSoon(): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 20);
  return controller.signal;
}

const aborted = { type: "failure", failure: { type: "aborted" }, partial: [] };

test("an abort ends the stream of a model that never settles, once, and tells it to end (B20)", async () => {
  let returns = 0;
  const never = () => {
    returns += 1;
    return new Promise<void>(() => {});
  };

  const { value, ms } = await timed(() => ask(endingOnAbort(deaf(never)), [user("Hi")], {}, abortingSoon()));

  expect(value).toEqual([{ type: "message_start", id: "msg_1", model: "deaf" }, aborted]);
  expect([ms < PROMPT_MS, returns]).toEqual([true, 1]);
});

test("a signal that is aborted already ends it too (B20)", async () => {
  const { value, ms } = await timed(() => ask(endingOnAbort(deaf()), [user("Hi")], {}, AbortSignal.abort()));

  expect([value.at(-1), ms < PROMPT_MS]).toEqual([aborted, true]);
});

test("a model that settles has the last word: what had come is kept", async () => {
  const model = endingOnAbort(scriptedModel([[says("The first ha"), stalls()]]));

  const events = await ask(model, [user("Hi")], {}, abortingSoon());

  expect(events.at(-1)).toMatchObject({ type: "failure", failure: { type: "aborted" } });
  expect(events).toContainEqual({ type: "block_end", index: 0, block: { type: "text", text: "The first ha" } });
});

test("without an abort nothing changes, and what the model throws is thrown", async () => {
  const answer = () => scriptedModel([says("Hello.")]);
  const throwing: Model = {
    ...deaf(),
    async *stream() {
      throw new Error("broken model");
    },
  };

  expect(await ask(endingOnAbort(answer()), [user("Hi")])).toEqual(await ask(answer(), [user("Hi")]));
  await expect(ask(endingOnAbort(throwing), [user("Hi")])).rejects.toThrow("broken model");
});
