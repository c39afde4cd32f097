// The rows of the report. `aim` is the highest ratio to the floor that is good enough; the best peers were measured
// with the same scenarios, beside the same floor, on 2026-11-30.
export const peersMeasuredOn = "2026-11-30";

export const ratioRows = [
  {
    name: "start → first request",
    scenario: "hello",
    figure: "firstRequestMs",
    unit: "ms",
    aim: 2.5,
    bestCli: "2.7 (native), 4.7 (Node)",
    bestLibrary: "2.5",
  },
  {
    name: "ms per shell round, 200 rounds",
    scenario: "rounds200",
    figure: "roundMs",
    unit: "ms",
    aim: 1.5,
    bestCli: "3.0",
    bestLibrary: "2.2",
  },
  {
    name: "CPU of 200 rounds",
    scenario: "rounds200",
    figure: "cpuMs",
    unit: "ms",
    aim: 1.8,
    bestCli: "3.0",
    bestLibrary: "2.6",
  },
  {
    name: "peak memory of 200 rounds",
    scenario: "rounds200",
    figure: "peakMb",
    unit: "MB",
    aim: 1.4,
    bestCli: "1.5 (native), 1.9 (Node)",
    bestLibrary: "1.9",
  },
  {
    name: "8 × `sleep 0.2` in one answer",
    scenario: "parallel",
    figure: "afterAnswerMs",
    unit: "ms",
    aim: 1.08,
    bestCli: "1.09",
    bestLibrary: "1.11",
  },
  {
    name: "read started while the stream is open",
    scenario: "earlyread",
    figure: "readAfterBlockMs",
    unit: "ms",
    aim: 3,
    bestCli: "–",
    bestLibrary: "none before the message ends",
  },
  {
    name: "100,000 deltas, wall",
    scenario: "text100k",
    figure: "textMs",
    unit: "ms",
    aim: 3,
    bestCli: "5.4 (native), 6 (Node)",
    bestLibrary: "7.8",
  },
];

export const growthRow = {
  name: "growth of ms per round, 10 → 190",
  scenario: "rounds200",
  bestCli: "none",
  bestLibrary: "none",
  /** Growth below this share of a round is not told from noise. */
  visibleShare: 0.1,
};
