import type { SdkMessage } from "@pawl/core";

/** How a run is shown: one for each output format. */
export interface Presenter {
  /** Resolves when the reader can take more. */
  show(message: SdkMessage): Promise<void>;
  /** Resolves when everything is written. */
  close(): Promise<void>;
  /** Keeps off the terminal, so that a question can stand there, until the function that it gives is called. */
  pause?(): () => void;
  /** Whether consumers take the result of a run with one prompt for its last frame. */
  readonly resultIsLast?: boolean;
  /** Whether going on is pointless because nobody reads any more. */
  readonly isAbandoned: boolean;
}
