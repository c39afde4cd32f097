import type { SdkMessage } from "@pawl/core";
import type { Presenter } from "../presenter.ts";

/** Shows nothing while a question stands on the terminal; what comes in the meantime waits. */
export class GatedPresenter implements Presenter {
  readonly #inner: Presenter;
  #open: Promise<void> | undefined;

  constructor(inner: Presenter) {
    this.#inner = inner;
  }

  get isAbandoned(): boolean {
    return this.#inner.isAbandoned;
  }

  async show(message: SdkMessage): Promise<void> {
    while (this.#open !== undefined) await this.#open;
    await this.#inner.show(message);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** Closes the gate; the function that it gives opens it again. One at a time. */
  hold(): () => void {
    const resume = this.#inner.pause?.();
    let open = () => {};
    this.#open = new Promise((resolve) => {
      open = resolve;
    });
    return () => {
      this.#open = undefined;
      resume?.();
      open();
    };
  }
}
