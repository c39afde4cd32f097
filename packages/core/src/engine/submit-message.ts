import { childController } from "../lib/abort.ts";
import { deferred } from "../lib/deferred.ts";
import { messageOf, PawlError } from "../lib/error.ts";
import type { MessageOrigin, UserMessage, Uuid } from "../messages/message.ts";
import { aborted } from "../query/prepare.ts";
import { query } from "../query/query.ts";
import { appendUser, initialState } from "../query/state.ts";
import { userFrame } from "./frames.ts";
import { initFrame } from "./init-frame.ts";
import { checkPrompt, isCommand, type ProcessedInput, type Prompt, processInput, userLine } from "./input.ts";
import { mentionedFiles } from "./mentions.ts";
import { noticeFrame } from "./notice-frame.ts";
import { fitPrompt, fitQueued } from "./prompt-media.ts";
import type { SdkMessage } from "./sdk-message.ts";
import { record, recordCwd, type Session } from "./session.ts";
import { planNotice } from "./set-mode.ts";
import { turnDeps } from "./turn-deps.ts";
import { TurnReport } from "./turn-report.ts";
import { turnModels, turnSnapshot } from "./turn-snapshot.ts";

export type SubmitOptions = {
  /** The prompt's own; a repeated one is refused. */
  uuid?: string;
  /** Not typed by a person: hidden from eyes. */
  isMeta?: boolean;
  /** What it comes from when that is no person. */
  origin?: MessageOrigin;
};

/** Lets the holder of a turn's generator abort this turn and no other. */
export type OwnTurn = { abort(): void };

/** Takes one prompt from text to result, in eight stages. Refusals are thrown; whatever comes later ends in a `result`. */
export async function* submitMessage(
  session: Session,
  prompt: Prompt,
  options: SubmitOptions,
  own: OwnTurn,
): AsyncGenerator<SdkMessage, void> {
  refuse(session, prompt, options);
  const controller = childController(session.controller.signal);
  own.abort = () => controller.abort();
  const ended = deferred<void>();
  session.turn = { controller, ended: ended.promise };
  const report = new TurnReport(session, options.origin);
  const stopWatching = watchTime(session, controller);
  try {
    yield* runTurn(session, prompt, options, report, controller.signal);
  } catch (error) {
    yield* report.end({ reason: "setup_failed", message: messageOf(error) });
  } finally {
    stopWatching();
    controller.release();
    session.readMarks.settle([]); // what belongs to an answer that was discarded
    session.turn = undefined;
    ended.resolve();
  }
}

/** Aborts the turn once it has taken as long as it may; gives a function that ends the watch. */
function watchTime({ config }: Session, turn: AbortController): () => void {
  const { maxDurationMs: limitMs, clock } = config;
  const ended = new AbortController();
  if (limitMs === undefined) return () => {};
  void clock.sleep(limitMs, ended.signal).then(() => {
    if (!ended.signal.aborted) turn.abort({ limitMs });
  });
  return () => ended.abort();
}

function refuse(session: Session, prompt: Prompt, { uuid }: SubmitOptions): void {
  if (session.isClosed) throw new PawlError("engine_closed", "This engine is closed: create a new one.");
  if (session.turn) {
    const fix = "wait for its result, or give the input to `enqueue`";
    throw new PawlError("engine_busy", `A turn is running in this session: ${fix}.`);
  }
  checkPrompt(prompt);
  if (uuid !== undefined && session.usedUuids.has(uuid)) {
    throw new PawlError(
      "repeated_uuid",
      `A message with the uuid ${uuid} is in this session already: give each its own.`,
    );
  }
}

async function* runTurn(
  session: Session,
  prompt: Prompt,
  options: SubmitOptions,
  report: TurnReport,
  signal: AbortSignal,
): AsyncGenerator<SdkMessage, void> {
  // 1: the snapshot is taken once the input has had its effect.
  if (signal.aborted) return yield* endAborted(session, report, signal);
  await session.config.beginTurn?.();

  // 3 and 4: the context, the input, and the context again from what the input has changed.
  if (isCommand(prompt)) await inputContext(session);
  const input = await processInput(session, prompt);
  const context = await inputContext(session);
  yield initFrame(session);
  for (const content of session.config.notices?.splice(0) ?? []) yield noticeFrame(session, content);
  if (input.type === "answered") return yield* answerLocally(session, input, report);

  // 5: on disk before the first request.
  const uuid = options.uuid ?? session.config.clock.uuid();
  const content = await fitPrompt(input.content, signal);
  if (content === undefined) return yield* report.end(aborted("stream", signal));
  const promptLine = userLine(uuid as Uuid, content, options.isMeta, options.origin);
  const mentioned = typeof prompt === "string" ? await mentionedFiles(session, prompt, signal) : [];
  const queued = await fitQueued(session.queue.splice(0), signal);
  const lines = [...context, ...(await planNotice(session)), ...queued, promptLine, ...mentioned];
  await persist(session, lines);
  for (const notice of queued.filter(({ origin }) => origin !== undefined))
    yield userFrame(notice, session.config.sessionId);
  if (options.origin !== undefined) yield userFrame(promptLine, session.config.sessionId);
  else if (session.config.replayUserMessages)
    yield { ...userFrame(promptLine, session.config.sessionId), isReplay: true };

  // 2, 6, 7, 8: the decision is wrapped in the dependencies; frames come as they arise and are folded in as they pass.
  const snapshot = turnSnapshot(session, input.consumedCommands);
  const deps = turnDeps(session, turnModels(session), snapshot, report);
  const state = initialState(session.messages, session.leaf);
  const terminal = yield* report.frames(query(state, report.timed(deps), snapshot, signal));
  await recordCwd(session);
  yield* report.end(terminal);
}

/** The user context stands in front of the first message, and is given once for each conversation. */
async function inputContext(session: Session): Promise<UserMessage[]> {
  if (session.messages.length > 0) return [];
  const text = await session.config.userContext();
  return text === undefined ? [] : [userLine(session.config.clock.uuid(), [{ type: "text", text }], true)];
}

async function persist(session: Session, lines: readonly UserMessage[]): Promise<void> {
  const writes = lines.map((message) =>
    record(session, { type: "message", message, parent: session.leaf, isSidechain: false }),
  );
  appendUser(session.messages, lines);
  await Promise.all(writes);
}

async function* answerLocally(
  session: Session,
  input: Extract<ProcessedInput, { type: "answered" }>,
  report: TurnReport,
): AsyncGenerator<SdkMessage, void> {
  const { sessionId, clock } = session.config;
  if (input.wasCleared) {
    const frame = { type: "conversation_reset", new_conversation_id: sessionId, trigger: "clear" } as const;
    yield { ...frame, uuid: clock.uuid(), session_id: sessionId };
  }
  yield {
    type: "system",
    subtype: "local_command_output",
    content: input.text,
    uuid: clock.uuid(),
    session_id: sessionId,
  };
  yield report.localResult(input.command, input.text, input.isError);
}

async function* endAborted(
  session: Session,
  report: TurnReport,
  signal: AbortSignal,
): AsyncGenerator<SdkMessage, void> {
  yield initFrame(session);
  yield* report.end(aborted("stream", signal));
}
