import type { Message } from "../messages/message.ts";

/**
 * Groups messages by request to the model: a new group starts where the id of the answer changes. So an answer and the results
 * of its tool uses are always in one group, and what came before the first answer is a group of its own.
 */
export function groupByRound(messages: readonly Message[]): Message[][] {
  const rounds: Message[][] = [];
  let answerId: string | undefined;
  for (const message of messages) {
    const isNewAnswer = message.role === "assistant" && message.id !== answerId;
    if (message.role === "assistant") answerId = message.id;
    const round = rounds.at(-1);
    if (round === undefined || isNewAnswer) rounds.push([message]);
    else round.push(message);
  }
  return rounds;
}
