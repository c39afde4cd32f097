/** A promise that is settled from outside; what resolves it first counts. (`Promise.withResolvers` is not in Node 20.) */
type Deferred<Value> = { readonly promise: Promise<Value>; resolve(value: Value): void };

export function deferred<Value>(): Deferred<Value> {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
