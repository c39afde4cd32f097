/** What of a message matters for the cache: whose it is, and which of its blocks may carry a mark. */
export type MarkableMessage = { role: "user" | "assistant"; canMark: readonly boolean[] };

export type Mark = { message: number; block: number };

type Breakpoints = {
  /** On the last system block, or on the last tool when there is no system; undefined when there is neither. */
  prefix: "system" | "tools" | undefined;
  /** In the order of the messages. */
  marks: readonly Mark[];
};

/** The provider takes four; the first covers tools and system. */
const MAX_MESSAGE_MARKS = 3;

/** From a mark the provider looks for what it has stored at this many blocks, the marked one included. */
export const LOOK_BACK_BLOCKS = 20;

/** A longer stretch since the last request is marked in its middle as well. */
const LONG_STRETCH_BLOCKS = 15;

/**
 * Where the cache marks of a request go. The request that brought an answer ended just before it, so the newest such ends
 * are marked again beside the new tail: each is exactly where an earlier request wrote, however long the answers between
 * are. The third mark is for the end before that, in case the newest was never written, when looking back does not reach it;
 * else, after a long answer, for the end of the answer, so that a tail which is replaced later costs only itself.
 */
export function cacheBreakpoints(request: {
  toolCount: number;
  systemCount: number;
  messages: readonly MarkableMessage[];
  /** Reads what earlier requests wrote, and writes nothing. */
  skipCacheWrite?: boolean;
}): Breakpoints {
  const { toolCount, systemCount, messages } = request;
  const prefix = systemCount > 0 ? "system" : toolCount > 0 ? "tools" : undefined;
  const ends = requestEnds(messages);
  const tail = lastMark(messages, messages.length);
  const wanted = request.skipCacheWrite === true || tail === undefined ? ends : [tail, ...newest(messages, ends, tail)];
  return { prefix, marks: distinct(wanted).slice(0, MAX_MESSAGE_MARKS).toSorted(inOrder) };
}

function newest(messages: readonly MarkableMessage[], ends: readonly Mark[], tail: Mark): Mark[] {
  const [last, before] = ends;
  if (last === undefined) return [];
  const isInReach = before === undefined || distance(messages, before, last) < LOOK_BACK_BLOCKS;
  const answerEnd = lastMark(messages, 1 + messages.findLastIndex(({ role }) => role === "assistant"));
  if (isInReach && answerEnd !== undefined && distance(messages, last, tail) > LONG_STRETCH_BLOCKS) {
    return [last, answerEnd];
  }
  return before === undefined ? [last] : [last, before];
}

/** The last places before an answer, newest first: there the request that brought it ended. */
function requestEnds(messages: readonly MarkableMessage[]): Mark[] {
  const ends: Mark[] = [];
  for (let index = messages.length - 1; index > 0 && ends.length < MAX_MESSAGE_MARKS; index--) {
    if (messages[index]?.role !== "assistant") continue;
    const mark = lastMark(messages, index);
    if (mark !== undefined) ends.push(mark);
  }
  return ends;
}

/** The last markable block of the first `count` messages. */
function lastMark(messages: readonly MarkableMessage[], count: number): Mark | undefined {
  for (let message = count - 1; message >= 0; message--) {
    const block = messages[message]?.canMark.lastIndexOf(true) ?? -1;
    if (block >= 0) return { message, block };
  }
  return undefined;
}

/** Blocks from one mark to a later one. */
function distance(messages: readonly MarkableMessage[], from: Mark, to: Mark): number {
  let blocks = to.block - from.block;
  for (let index = from.message; index < to.message; index++) blocks += messages[index]?.canMark.length ?? 0;
  return blocks;
}

function distinct(marks: readonly Mark[]): Mark[] {
  return marks.filter((mark, index) => marks.findIndex((other) => inOrder(mark, other) === 0) === index);
}

const inOrder = (a: Mark, b: Mark): number => a.message - b.message || a.block - b.block;
