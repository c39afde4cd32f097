import type { JournalEntry } from "../history/journal.ts";
import { leafAfter } from "../history/leaf.ts";
import type { Message, UserMessage, Uuid } from "../messages/message.ts";
import { repairHistory } from "../messages/repair.ts";
import type { Model, ThinkingConfig } from "../models/model.ts";
import { SCHEDULE_PART, type Scheduler } from "../tools/scheduler.ts";
import type { TaskRegistry } from "../tools/tasks.ts";
import type { AskSmallModel } from "../tools/tool.ts";
import { type AutoMode, createAutoMode } from "./auto-state.ts";
import type { EngineConfig } from "./engine-config.ts";
import { createFrameQueue, type FrameQueue } from "./frame-queue.ts";
import { createLedger, type Ledger } from "./ledger.ts";
import { noticeFrame } from "./notice-frame.ts";
import { createInbox, type Inbox } from "./notices.ts";
import { createReadMarks, type ReadMarks } from "./read-marks.ts";
import { sessionSchedule } from "./session-schedule.ts";
import { BACKGROUND_TASKS_PART, sessionTasks, tellLostTasks } from "./session-tasks.ts";
import type { SideDeps } from "./side-request.ts";
import { smallModelAsker } from "./small-model.ts";
import { createUserWords, type UserWords } from "./user-words.ts";

/** What lives as long as the conversation. */
export type Session = {
  readonly config: EngineConfig;
  readonly controller: AbortController;
  messages: Message[];
  /** The last line that was written: the parent of the next. A turn counts on from it. */
  leaf: Uuid | null;
  model: Model;
  thinking: ThinkingConfig | undefined;
  readonly ledger: Ledger;
  readonly usedUuids: Set<string>;
  /** The model's answers so far. */
  readonly answerIds: Set<string>;
  /** Names of tools that the provider has refused. */
  readonly leftOutTools: Set<string>;
  /** What models are asked with beside the conversation. */
  readonly sideDeps: SideDeps;
  /** Left out without a small model. */
  readonly askSmallModel?: AskSmallModel;
  readonly queue: UserMessage[];
  /** The queue and what is told to the model in it. */
  readonly inbox: Inbox;
  /** Frames that arise beside the loop's events. */
  readonly frames: FrameQueue;
  readonly tasks: TaskRegistry;
  readonly scheduler: Scheduler;
  readonly auto: AutoMode;
  readonly userWords: UserWords;
  readonly readMarks: ReadMarks;
  /** The current directory as the journal has it. */
  recordedCwd: string;
  turn: { controller: AbortController; ended: Promise<void> } | undefined;
  isClosed: boolean;
};

export function createSession(config: EngineConfig): Session {
  const entries = config.initial?.entries ?? [];
  const ledgerEntries = entries.filter((entry) => entry.type === "ledger");
  const ledger = createLedger(ledgerEntries);
  const { uuid } = config.clock;
  const inbox = createInbox([], uuid);
  const frames = createFrameQueue();
  const sideDeps: SideDeps = {
    ...config,
    ledger,
    answerId: (given) => ownAnswerId(given, session),
    record: (entry) => record(session, entry),
  };
  const session: Session = {
    config,
    controller: new AbortController(),
    messages: repairHistory(config.initial?.messages ?? []).messages,
    leaf: config.initial?.leaf ?? null,
    model: config.model,
    thinking: config.thinking,
    ledger,
    usedUuids: new Set(entries.flatMap((entry) => (entry.type === "message" ? [entry.message.uuid] : []))),
    answerIds: new Set(ledgerEntries.map((entry) => entry.responseId)),
    queue: inbox.queue,
    inbox,
    frames,
    tasks: sessionTasks({
      now: config.clock.now,
      envelope: () => ({ uuid: uuid(), session_id: config.sessionId }),
      push: frames.push,
      notify: inbox.notify,
      record: (entry) => record(session, entry),
    }),
    scheduler: sessionSchedule({
      ...config.clock,
      notify: inbox.notify,
      hasMessage: (uuid) => session.usedUuids.has(uuid),
      setPart: (part, value) => setPart(session, part, value),
      stored: config.appState.get().parts[SCHEDULE_PART],
    }),
    auto: createAutoMode(),
    userWords: createUserWords(entries),
    readMarks: createReadMarks(config.readState),
    leftOutTools: new Set(),
    recordedCwd: config.appState.get().cwd,
    turn: undefined,
    isClosed: false,
    sideDeps,
    ...(config.smallModel && { askSmallModel: smallModelAsker(config.smallModel, sideDeps) }),
  };
  config.onKeyWait?.((text) => frames.push(noticeFrame(session, text)));
  tellLostTasks(config.appState.get().parts[BACKGROUND_TASKS_PART], {
    notify: inbox.notify,
    record: (entry) => record(session, entry),
  });
  return session;
}

/** Some servers give every answer the same id: on disk two answers would be taken for one, and be paid for once. */
export function ownAnswerId(given: string, { answerIds, config }: Pick<Session, "answerIds" | "config">): string {
  const id = answerIds.has(given) ? `${given}_${config.clock.uuid()}` : given;
  if (id !== "") answerIds.add(id);
  return id;
}

/** The one way into the journal: keeps what the session derives from it. Resolves when durable. */
export function record(session: Session, entry: JournalEntry): Promise<void> {
  session.leaf = leafAfter(session.leaf, entry);
  if (entry.type === "message") session.usedUuids.add(entry.message.uuid);
  session.userWords.hear(entry);
  if (entry.type === "ledger") session.ledger.add(entry);
  if (entry.type === "transition") noteLeftOut(session, entry.transition);
  return session.config.store.append(entry);
}

/** Sets a part of the live state and journals it. Resolves when durable. */
export async function setPart(session: Session, part: string, value: unknown): Promise<void> {
  session.config.appState.set((before) => ({ ...before, parts: { ...before.parts, [part]: value } }));
  await record(session, { type: "state", part, value });
}

/** A tool that the provider refuses is not offered again; a session that is resumed tries it anew. */
function noteLeftOut({ leftOutTools }: Session, { type, tool }: { type: string; [field: string]: unknown }): void {
  if (type === "tool_left_out" && typeof tool === "string") leftOutTools.add(tool);
}

/** Where the shell stands, when a turn has moved it. */
export async function recordCwd(session: Session): Promise<void> {
  const { cwd } = session.config.appState.get();
  if (cwd === session.recordedCwd) return;
  session.recordedCwd = cwd;
  await record(session, { type: "state", part: "cwd", value: cwd });
}
