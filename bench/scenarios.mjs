// What the model answers in each scenario: `answer(n, agent, work)` gives the content blocks for its request number n, from 0.
const ROUNDS = 200;
const SLEEPERS = 8;
const DRIBBLE_MS = 1_000;
const DELTAS = 100_000;

/** Access time of a file that nobody has read: older than its change, so that `relatime` mounts too note the next read. */
export const UNREAD_SINCE_S = 1;

const done = [{ type: "text", text: "Done." }];

export const scenarios = {
  /** One short answer. */
  hello: { requests: 1, answer: () => done },

  /** One shell call a round. The command differs, so that nobody takes it for a loop. */
  rounds200: {
    requests: ROUNDS + 1,
    answer: (n, { shell }) => (n < ROUNDS ? [shell(`true ${n}`)] : done),
  },

  /** Independent shell calls in one answer. */
  parallel: {
    requests: 2,
    answer: (n, { shell }) => (n === 0 ? Array.from({ length: SLEEPERS }, (_, i) => shell(`sleep 0.20${i}`)) : done),
  },

  /** Two reads: the first call is complete at once, the second one's input takes a second more. */
  earlyread: {
    requests: 2,
    answer: (n, { read }, work) =>
      n === 0 ? [read(earlyFile(work)), { ...read(`${work}/other.txt`), dribbleMs: DRIBBLE_MS }] : done,
    watch: (work) => earlyFile(work),
  },

  /** One long text in small deltas, as fast as the socket takes it. */
  text100k: { requests: 1, answer: () => [{ type: "text", deltas: DELTAS }] },
};

const earlyFile = (work) => `${work}/early.txt`;
