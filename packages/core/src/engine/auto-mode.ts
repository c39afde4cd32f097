import { childController } from "../lib/abort.ts";
import { messageOf } from "../lib/error.ts";
import {
  asVerdict,
  type ClassifierVerdict,
  type Classify,
  modelClassifier,
  unavailable,
} from "../permissions/classifier.ts";
import type { DecidedCall } from "../tools/call.ts";
import type { AutoMode } from "./auto-state.ts";
import type { Session } from "./session.ts";

/** After so many blocks, in a row or in all, the classifier pauses and the user is asked. */
const MAX_BLOCKS_IN_ROW = 3;
const MAX_BLOCKS = 20;
/** What one verdict may take. Milliseconds. */
const CLASSIFIER_WAIT_MS = 20_000;
/** Verdicts that one turn remembers. */
const MAX_REMEMBERED = 1_000;

/** What the classifier says of a call. `unavailable` also when there is none, it is too slow, or it pauses. */
export async function classifyCall(
  session: Session,
  call: DecidedCall,
  why: string,
  signal: AbortSignal,
): Promise<ClassifierVerdict> {
  const { auto } = session;
  if (auto.blocksInRow >= MAX_BLOCKS_IN_ROW || auto.blocks >= MAX_BLOCKS) return unavailable(pauseReason(auto));
  if (auto.turn !== session.turn) Object.assign(auto, { turn: session.turn, verdicts: new Map() });
  // All that the classifier is told but the reason why it is asked: what the user says in between may change its mind.
  const key = JSON.stringify([call.tool.name, call.input, session.config.appState.get().cwd, session.userWords.texts]);
  const verdict = auto.verdicts.get(key) ?? (await asked(session, call, why, signal));
  count(auto, verdict);
  if (verdict.type !== "unavailable" && auto.verdicts.size < MAX_REMEMBERED) auto.verdicts.set(key, verdict);
  return verdict;
}

/** The user has said yes to a call that was asked about: the classifier goes on. */
export function resumeAuto({ auto }: Session): void {
  auto.blocksInRow = 0;
  if (auto.blocks >= MAX_BLOCKS) auto.blocks = 0;
}

function count(auto: AutoMode, { type }: ClassifierVerdict): void {
  if (type === "allow") auto.blocksInRow = 0;
  if (type !== "block") return;
  auto.blocksInRow++;
  auto.blocks++;
}

const pauseReason = ({ blocksInRow, blocks }: AutoMode): string =>
  blocksInRow >= MAX_BLOCKS_IN_ROW
    ? `it pauses after ${blocksInRow} blocks in a row`
    : `it pauses after ${blocks} blocks`;

async function asked(
  session: Session,
  call: DecidedCall,
  why: string,
  signal: AbortSignal,
): Promise<ClassifierVerdict> {
  const { config, askSmallModel, userWords } = session;
  const classify: Classify | undefined = config.classify ?? (askSmallModel && modelClassifier(askSmallModel));
  if (classify === undefined) return unavailable("there is none: no small model, and no `classify` was given");
  const asking = childController(signal);
  const ended = new AbortController();
  const tooLate = config.clock.sleep(CLASSIFIER_WAIT_MS, ended.signal).then(() => {
    if (!ended.signal.aborted) asking.abort();
    return unavailable(`it gave no verdict within ${CLASSIFIER_WAIT_MS / 1_000} s`);
  });
  const { tool, input } = call;
  const request = { tool: tool.name, input, cwd: config.appState.get().cwd, why, userMessages: [...userWords.texts] };
  try {
    return await Promise.race([verdictOf(() => classify(request, asking.signal)), tooLate]);
  } finally {
    ended.abort();
    asking.release();
  }
}

async function verdictOf(classify: () => Promise<ClassifierVerdict>): Promise<ClassifierVerdict> {
  try {
    return asVerdict(await classify());
  } catch (error) {
    return unavailable(messageOf(error));
  }
}
