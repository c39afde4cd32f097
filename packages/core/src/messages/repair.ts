import type { ApiMessage } from "./api-message.ts";
import type { Message } from "./message.ts";
import { repairAnswers } from "./repairs/answers.ts";
import { repairCacheMarks, repairSize } from "./repairs/body.ts";
import { Carrier } from "./repairs/carrier.ts";
import { finish, type Repair, RepairLog } from "./repairs/draft.ts";
import { repairMediaCount } from "./repairs/media.ts";
import { readDrafts } from "./repairs/read.ts";
import { repairToolPairs } from "./repairs/tool-pairs.ts";
import { closeEnds, joinTurns } from "./repairs/turns.ts";
import type { RuleOptions } from "./rule-options.ts";
import { violations } from "./violations.ts";

export type { Repair } from "./repairs/draft.ts";

/**
 * Makes of any list of messages one that the Messages API takes: `violations` finds nothing in what comes out, under the same
 * options.
 *
 * Keeps what it can: joins messages, moves results to their calls, answers open calls with an error result, renames repeated
 * ids, puts a text in the place of media that would be refused. Takes away only what cannot go back: half of a thinking
 * block, empty texts, results without a call. A healthy list comes back as it is; otherwise messages that needed nothing are
 * the same objects, and fields beside role and content (such as `uuid`) are kept. Messages it had to add have none.
 *
 * @returns the messages, and what was done to each place. Repairing again changes nothing. Never throws; time grows linearly.
 * @see https://docs.anthropic.com/en/api/messages
 */
export function repairMessages(
  messages: readonly ApiMessage[],
  options: RuleOptions = {},
): { messages: ApiMessage[]; repairs: Repair[] } {
  if (violations(messages, rulesOnly(options)).length === 0) return { messages: [...messages], repairs: [] };
  const log = new RepairLog();
  const turns = joinTurns(readDrafts(messages, options, log), log);
  const paired = repairToolPairs(turns, options, log);
  repairAnswers(paired, options, log);
  repairMediaCount(paired, options, log);
  repairCacheMarks(paired, log);
  const closed = closeEnds(repairSize(paired, log), options, log);
  return { messages: closed.map(finish), repairs: log.repairs };
}

/** `repairMessages` for the engine's own form. Messages that needed nothing are the same objects. */
export function repairHistory(
  messages: readonly Message[],
  options: RuleOptions = {},
): { messages: Message[]; repairs: Repair[] } {
  const carrier = new Carrier();
  const repaired = repairMessages(
    messages.map((message) => carrier.out(message)),
    options,
  );
  const back: Message[] = [];
  for (const message of repaired.messages) back.push(carrier.back(message, back.at(-1)));
  return { messages: back, repairs: repaired.repairs };
}

/** Without those options of `violations` that no repair can satisfy, should a caller have given them. */
function rulesOnly({ as, model, contextTokens }: RuleOptions): RuleOptions {
  return {
    ...(as === undefined ? {} : { as }),
    ...(model === undefined ? {} : { model }),
    ...(contextTokens === undefined ? {} : { contextTokens }),
  };
}
