/** A function of an object whose result is kept as long as the object is: for objects that do not change. */
export function keptPer<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const kept = new WeakMap<Key, { value: Value }>();
  return (key) => {
    const found = kept.get(key) ?? { value: find(key) };
    kept.set(key, found);
    return found.value;
  };
}
