import {
  type ApiBlock,
  createEngine,
  type EngineOptions,
  PawlError,
  type SdkMessage,
  type SdkResult,
} from "@pawl/core";
import { endOfWork } from "./end-of-work.ts";
import { type EndingSignal, exitCodeOf } from "./exit-code.ts";
import type { Presenter } from "./presenter.ts";
import { Signals } from "./signals.ts";

export type Prompt = {
  content: string | readonly ApiBlock[];
  uuid?: string;
  /** Where it comes from, for people. */
  place?: string;
};

/** Input that is not taken: why, and whether it was a prompt, whose result somebody waits for. */
export type Refusal = { refused: string; isPrompt: boolean };

export type RefusalContext = { sessionId: string; last: SdkResult | undefined };

type Run = {
  options: EngineOptions;
  prompts: AsyncIterable<Prompt | Refusal>;
  presenter: Presenter;
  /** Makes it a session that lives as long as its input: what is not taken is told here, and SIGINT ends only the turn that runs. */
  onRefusal?: (refusal: Refusal, context: RefusalContext) => Promise<void>;
};

/** How a session went. */
type Outcome = { exitCode: number; transcriptPath: string | null; unusedSteps: readonly string[] };

/** One session: a turn for each prompt, shown as it happens. */
export async function runTurns({ options, prompts, presenter, onRefusal }: Run): Promise<Outcome> {
  const startedAt = Date.now();
  const engine = await createEngine(options);
  /** Of a run with one prompt the result is the last frame. */
  const holdsResult = presenter.resultIsLast === true && onRefusal === undefined;
  let isTurnRunning = false;
  let turns = 0;
  let hasRefusals = false;
  let last: SdkResult | undefined;
  let held: SdkResult | undefined;
  const onSignal = (signal: EndingSignal) => {
    engine.interrupt(signal);
    return !(onRefusal !== undefined && isTurnRunning && signal === "SIGINT");
  };
  const signals = new Signals(onSignal, () => engine.close());
  const runTurn = ({ content, uuid }: Prompt): Promise<void> =>
    showTurn(engine.submitMessage(content, uuid === undefined ? {} : { uuid }));
  const showTurn = async (frames: AsyncIterable<SdkMessage>): Promise<void> => {
    turns++;
    isTurnRunning = true;
    try {
      for await (const message of frames) {
        if (message.type === "result") last = message;
        if (message.type === "result" && holdsResult) held = message;
        else await presenter.show(message);
        if (presenter.isAbandoned) engine.interrupt();
      }
    } finally {
      isTurnRunning = false;
    }
  };
  const take = async (input: Prompt | Refusal): Promise<void> => {
    const refusal =
      "refused" in input ? input : await runTurn(input).catch((error: unknown) => refusalOf(error, input));
    if (refusal === undefined) return;
    if (onRefusal === undefined) throw new PawlError("bad_prompt", refusal.refused);
    hasRefusals = true;
    await onRefusal(refusal, { sessionId: engine.sessionId, last });
  };
  const isOver = () => signals.received !== undefined || presenter.isAbandoned;
  /** What is still told of the session is told before its last frame where that has to be the result. */
  const endSession = async (): Promise<void> => {
    const hurry = new AbortController();
    void signals.ending.then(() => hurry.abort());
    try {
      if (!isOver()) for await (const frame of endOfWork(engine, startedAt, hurry.signal)) await presenter.show(frame);
    } finally {
      if (held !== undefined) await presenter.show(held);
    }
  };
  try {
    const queue = prompts[Symbol.asyncIterator]();
    let coming: ReturnType<typeof queue.next> | undefined;
    while (!isOver()) {
      coming ??= queue.next();
      coming.catch(() => {}); // told where it is waited for
      const arrived = onRefusal === undefined ? coming : engine.orNotice(coming);
      const next = await Promise.race([arrived, signals.ending]);
      if (next === "notice") {
        await showTurn(engine.submitNotices());
        continue;
      }
      coming = undefined;
      if (next === undefined || next.done) break;
      await take(next.value);
    }
    await endSession();
  } finally {
    await engine.close();
    await presenter.close();
    // After a signal the bound on ending and the second signal go on to hold until the process has ended.
    if (signals.received === undefined) signals.release();
  }
  const exitCode = exitCodeOf({ signal: signals.received, turns, last, hasRefusals });
  return { exitCode, transcriptPath: engine.transcriptPath, unusedSteps: engine.unusedSteps() };
}

/** A prompt that the engine does not take is a refusal; whatever else was thrown goes on. */
function refusalOf(error: unknown, { place }: Prompt): Refusal {
  const isRefusal = error instanceof PawlError && ["bad_prompt", "repeated_uuid"].includes(error.code);
  if (!isRefusal) throw error;
  return { refused: place === undefined ? error.message : `${place}: ${error.message}`, isPrompt: true };
}
