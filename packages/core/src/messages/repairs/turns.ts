import type { RuleOptions } from "../rule-options.ts";
import { type Draft, isPausedDraft, mintedUser, type RepairLog, textBlock } from "./draft.ts";

/** Rules 1, 2 and 3: nothing empty, turns taken, the user first and, in a request, last. */

const LOST_START = "[The start of this conversation is missing.]";
const GO_ON = "Continue.";

/** Drops empty messages and joins those that follow one of the same role. */
export function joinTurns(drafts: readonly Draft[], log: RepairLog): Draft[] {
  const joined: Draft[] = [];
  for (const draft of drafts) {
    const before = joined.at(-1);
    if (draft.blocks.length === 0) log.add(3, draft.at, "dropped: nothing was left in it");
    else if (before?.role === draft.role) join(before, draft, log);
    else joined.push(draft);
  }
  return joined;
}

/** Adds a message to the one before. The fields beside the content are the later one's, unless only that one is meta. */
function join(before: Draft, draft: Draft, log: RepairLog): void {
  log.add(2, draft.at, `joined to ${before.at}, which is from the ${draft.role} too`);
  for (const block of draft.blocks) before.blocks.push(block);
  before.isChanged = true;
  const isHidden = draft.source?.["isMeta"] === true && before.source !== undefined && before.source["isMeta"] !== true;
  if (draft.source !== undefined && !isHidden) before.source = draft.source;
}

/** The user speaks first and, in a request, last. */
export function closeEnds(drafts: readonly Draft[], options: RuleOptions, log: RepairLog): Draft[] {
  const closed = [...drafts];
  const first = drafts[0];
  if (first?.role === "assistant") {
    closed.unshift(mintedUser(first.at, [textBlock(LOST_START)]));
    log.add(1, first.at, "put a message of the user's in front of it");
  }
  const last = drafts.at(-1);
  const isOpen = last === undefined || (last.role === "assistant" && !isPausedDraft(last));
  if (options.as === "request" && isOpen) {
    const at = last?.at ?? "messages";
    closed.push(mintedUser(at, [textBlock(GO_ON)]));
    log.add(1, at, "put a message of the user's behind it");
  }
  return closed;
}
