/** Settles with `promise`, or after `ms` without it. Never rejects: who wants to know why asks the promise. */
export function within(promise: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, ms);
    promise.then(done, done);
  });
}
