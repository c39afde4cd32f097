import type { Message } from "../messages/message.ts";
import { referredTools } from "../messages/tool-reference.ts";
import type { ToolSchema } from "../models/model.ts";
import type { QueryConfig, TurnModel } from "./config.ts";
import type { QueryState } from "./state.ts";

/**
 * The tools of the next request, in its order: those that are always sent, then deferred ones in the order in which they were
 * loaded, so that one request's tools begin the next one's. To a model that takes references the deferred ones go along at the
 * end, unseen until a reference stands in the messages; a loaded one whose reference was compacted away is sent openly.
 */
export function requestTools(
  { leftOutTools, messages }: Pick<QueryState, "leftOutTools" | "messages">,
  { toolSchemas, deferredTools }: Pick<QueryConfig, "toolSchemas" | "deferredTools">,
  model: TurnModel,
  loaded: readonly string[],
): readonly ToolSchema[] {
  const isOffered = ({ name }: ToolSchema) => !leftOutTools.has(name);
  const always = leftOutTools.size === 0 ? toolSchemas : toolSchemas.filter(isOffered);
  if (deferredTools === undefined) return always;
  const seen = model.takesToolReferences === true ? allReferred(messages) : undefined;
  const open = new Set(loaded.filter((name) => seen?.has(name) !== true));
  const opened = [...open].flatMap((name) => deferredTools.get(name)?.open ?? []);
  const unseen = seen === undefined ? [] : [...deferredTools.values()].filter(({ open: { name } }) => !open.has(name));
  return [...always, ...[...opened, ...unseen.map(({ deferred }) => deferred)].filter(isOffered)];
}

// A message never changes: its references are looked for once.
const known = new WeakMap<Message, readonly string[]>();

function allReferred(messages: readonly Message[]): ReadonlySet<string> {
  const all = new Set<string>();
  for (const message of messages) for (const name of referredIn(message)) all.add(name);
  return all;
}

function referredIn(message: Message): readonly string[] {
  const found = known.get(message) ?? referredTools(message);
  known.set(message, found);
  return found;
}
