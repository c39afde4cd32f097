import type { PermissionContext } from "./context.ts";

const decisions = new WeakSet<PermissionContext>();

/** The context for one decision: while it is made, what `keptInDecision` finds out is found out once. */
export function forOneDecision(context: PermissionContext): PermissionContext {
  const own = { ...context };
  decisions.add(own);
  return own;
}

/** Every rule asks for the same: `find`, with its results kept where the context is that of one decision. */
export function keptInDecision<Key, Value>(find: (key: Key, context: PermissionContext) => Value) {
  const kept = new WeakMap<PermissionContext, Map<Key, { value: Value }>>();
  return (key: Key, context: PermissionContext): Value => {
    if (!decisions.has(context)) return find(key, context);
    const known = kept.get(context) ?? new Map<Key, { value: Value }>();
    kept.set(context, known);
    const found = known.get(key) ?? { value: find(key, context) };
    known.set(key, found);
    return found.value;
  };
}
