import type { SdkMessage } from "./sdk-message.ts";

/** Frames that nobody takes, such as between turns; the oldest go first. */
const MAX_HELD_FRAMES = 1_000;

/** Frames that arise beside the loop's events, until a turn gives them out. */
export type FrameQueue = {
  push(frame: SdkMessage): void;
  take(): SdkMessage[];
  /** Settles when `other` does, or as soon as there is a frame to take. One waits at a time. */
  untilArrival(other: Promise<unknown>): Promise<void>;
};

export function createFrameQueue(): FrameQueue {
  const frames: SdkMessage[] = [];
  let wake = () => {};
  return {
    push(frame) {
      frames.push(frame);
      if (frames.length > MAX_HELD_FRAMES) frames.shift();
      wake();
    },
    take: () => frames.splice(0),
    untilArrival(other) {
      return new Promise((resolve) => {
        wake = resolve;
        other.then(
          () => resolve(),
          () => resolve(),
        );
        if (frames.length > 0) resolve();
      });
    },
  };
}
