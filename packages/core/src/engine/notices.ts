import type { UserMessage, Uuid } from "../messages/message.ts";
import type { Notice } from "../tools/tool.ts";

/** Notices that no turn has taken; what comes above is left out, and the model told so once. */
const MAX_QUEUED_NOTICES = 100;

/** What joins the running turn at its next round, or the next turn: queued input and notices, in the order in which they came. */
export type Inbox = {
  readonly queue: UserMessage[];
  /** `waits`: no turn is started for it. Gives the uuid of its message, undefined when it is left out. */
  notify(notice: Notice, urgency: "wakes" | "waits"): Uuid | undefined;
  /** Whether there is one that a turn should be started for. */
  hasNotice(): boolean;
  /** Takes the last such notice out of the queue. */
  takeNotice(): UserMessage | undefined;
  /** Resolves once there is such a notice, or the signal aborts. */
  noticed(signal: AbortSignal): Promise<void>;
};

export function createInbox(queue: UserMessage[], uuid: () => Uuid): Inbox {
  const listeners = new Set<() => void>();
  const waking = new WeakSet<UserMessage>();
  const hasNotice = () => queue.some((message) => waking.has(message));

  function add({ text, origin }: Notice): UserMessage {
    const message: UserMessage = {
      role: "user",
      uuid: uuid(),
      content: [{ type: "text", text }],
      isMeta: true,
      origin,
    };
    queue.push(message);
    return message;
  }

  return {
    queue,
    notify(notice, urgency) {
      const waiting = queue.filter(({ origin }) => origin !== undefined).length;
      if (waiting > MAX_QUEUED_NOTICES) return undefined;
      const isLeftOut = waiting === MAX_QUEUED_NOTICES;
      const message = add(isLeftOut ? { text: TOO_MANY, origin: notice.origin } : notice);
      if (urgency === "wakes") {
        waking.add(message);
        for (const listener of [...listeners]) listener();
      }
      return isLeftOut ? undefined : message.uuid;
    },
    hasNotice,
    takeNotice() {
      const at = queue.findLastIndex((message) => waking.has(message));
      return at < 0 ? undefined : queue.splice(at, 1)[0];
    },
    noticed(signal) {
      if (hasNotice() || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const done = () => {
          listeners.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        listeners.add(done);
        signal.addEventListener("abort", done);
      });
    },
  };
}

const TOO_MANY = `More than ${MAX_QUEUED_NOTICES} notices came before you could read them; the later ones are left out.`;
