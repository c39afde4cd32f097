// What one run says: from the process's own figures and the server's records of the scenario's requests, in order.
const EARLY_ROUND = 10;
const LATE_ROUND = 190;
const HALF_WINDOW = 10;

export const figuresOf = {
  hello: (run, [first]) => ({ firstRequestMs: first.receivedMs - run.startMs }),
  rounds200: (run, requests) => ({
    roundMs: (requests.at(-1).receivedMs - requests[0].receivedMs) / (requests.length - 1),
    cpuMs: run.cpuMs,
    peakMb: run.peakMb,
    earlyRoundMs: pauseAround(requests, EARLY_ROUND),
    lateRoundMs: pauseAround(requests, LATE_ROUND),
  }),
  parallel: (_run, requests) => ({ afterAnswerMs: pauseAfter(requests, 0) }),
  earlyread: (_run, [{ firstBlockMs, readMs }]) => ({
    readAfterBlockMs: readMs === undefined ? undefined : readMs - firstBlockMs,
  }),
  text100k: (run, [first]) => ({ textMs: run.endMs - first.bodyMs }),
};

/** From the end of the answer to request n to the arrival of the next request. */
const pauseAfter = (requests, n) => requests[n + 1].receivedMs - requests[n].endMs;

/** The shortest: what a busy machine adds to some rounds does not count, what is added to every round does. */
const pauseAround = (requests, round) =>
  Math.min(...Array.from({ length: 2 * HALF_WINDOW }, (_, i) => pauseAfter(requests, round - HALF_WINDOW + i)));

/** Why the run does not count, or undefined. */
export function faultOf(run, requests, scenario) {
  if (run.ending !== 0) return `ended with ${run.ending}`;
  if (requests.length !== scenario.requests) return `sent ${requests.length} requests instead of ${scenario.requests}`;
  if (requests.some(({ hasErrorResult }) => hasErrorResult)) return "a tool call failed";
  return undefined;
}
