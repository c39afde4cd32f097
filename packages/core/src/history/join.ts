import type { AssistantMessage, ContentBlock, Message, ToolUseId, UserMessage, Uuid } from "../messages/message.ts";

/** Lines of the journal that make one message of the projection, and the message they make. */
export type Group =
  | { role: "user"; lines: [UserMessage, ...UserMessage[]] }
  | { role: "assistant"; lines: [AssistantMessage, ...AssistantMessage[]] };
type Answer = Extract<Group, { role: "assistant" }>;

/** Puts a line behind the others: into the last group when both are blocks of one answer, or both the user's. */
export function addLine(groups: Group[], line: Message): Group {
  if (line.role === "user") {
    const last = groups.at(-1);
    if (last?.role !== "user") return added(groups, { role: "user", lines: [line] });
    last.lines.push(line);
    return last;
  }
  const answer = openAnswer(groups, line);
  if (answer === undefined) return added(groups, { role: "assistant", lines: [line] });
  answer.lines.push(line);
  return answer;
}

function added(groups: Group[], group: Group): Group {
  groups.push(group);
  return group;
}

/** The answer that a line belongs to. Results may have been written between its blocks, as long as it had not ended. */
function openAnswer(groups: readonly Group[], line: AssistantMessage): Answer | undefined {
  const last = groups.at(-1);
  if (last?.role === "assistant") return isContinued(lastOf(last), line) ? last : undefined;
  const before = groups.at(-2);
  if (before?.role !== "assistant" || lastOf(before).stopReason !== null || !isSameAnswer(lastOf(before), line)) {
    return undefined;
  }
  return last?.lines.every(({ content }) => content.every(isResult)) ? before : undefined;
}

// An answer that the provider paused goes on in the next one: to the model they are one.
const isContinued = (before: AssistantMessage, line: AssistantMessage): boolean =>
  before.stopReason === "pause_turn" || isSameAnswer(before, line);

/** Whether two lines are blocks of one answer. */
export function isSameAnswer(one: AssistantMessage, other: AssistantMessage): boolean {
  if (one.id === "" || one.id !== other.id) return false;
  return one.requestId === other.requestId || one.requestId === undefined || other.requestId === undefined;
}

/** The uuid that the group's message has. */
export const uuidOf = (group: Group): Uuid => (group.role === "user" ? leadOf(group.lines).uuid : lastOf(group).uuid);

/** One message of each group; groups that have come to stand beside each other are joined first. */
export function joinGroups(groups: readonly Group[]): Message[] {
  const settled: Group[] = [];
  for (const { lines } of groups) for (const line of lines) addLine(settled, line);
  return settled.map((group, index) =>
    group.role === "user" ? userOf(group.lines, settled[index - 1]) : answerOf(group),
  );
}

/** One answer: its blocks in order, the rest as on its last line. */
function answerOf(group: Answer): AssistantMessage {
  const last = lastOf(group);
  if (group.lines.length === 1) return last;
  const content = group.lines.flatMap((line) => line.content);
  const requestId = group.lines.findLast((line) => line.requestId !== undefined)?.requestId;
  const usage = group.lines.findLast((line) => line.usage !== null)?.usage ?? null;
  return { ...last, ...(requestId === undefined ? {} : { requestId }), content, usage };
}

/** One message of the user's: results in the order of their calls, then all else in the order of the lines. */
function userOf(lines: readonly [UserMessage, ...UserMessage[]], before: Group | undefined): UserMessage {
  const given = lines.flatMap((line) => line.content);
  const content = [...resultsInOrder(given, before), ...given.filter((block) => !isResult(block))];
  const [only] = lines;
  if (lines.length === 1) return content.every((block, index) => block === given[index]) ? only : { ...only, content };
  const lead = leadOf(lines);
  return {
    role: "user",
    uuid: lead.uuid,
    content,
    ...(lead.isMeta ? { isMeta: true } : {}),
    ...(lead.isCompactSummary ? { isCompactSummary: true } : {}),
    ...aboutOneResult(lines),
  };
}

function resultsInOrder(content: readonly ContentBlock[], before: Group | undefined): ContentBlock[] {
  const calls = before?.role === "assistant" ? before.lines.flatMap((line) => line.content) : [];
  const order = new Map<ToolUseId, number>();
  for (const block of calls) if (block.type === "tool_use") order.set(block.id, order.size);
  const rank = (block: ContentBlock) =>
    (block.type === "tool_result" ? order.get(block.tool_use_id) : undefined) ?? order.size;
  return content.filter(isResult).sort((one, other) => rank(one) - rank(other));
}

/** What is kept beside a result, when there is only one. */
function aboutOneResult(lines: readonly UserMessage[]): Partial<UserMessage> {
  const withResults = lines.filter(({ content }) => content.some(isResult));
  const [line] = withResults;
  if (line === undefined || withResults.length > 1) return {};
  const { toolUseResult, sourceToolAssistantUuid, toolDenialKind } = line;
  return {
    ...(toolUseResult === undefined ? {} : { toolUseResult }),
    ...(sourceToolAssistantUuid === undefined ? {} : { sourceToolAssistantUuid }),
    ...(toolDenialKind === undefined ? {} : { toolDenialKind }),
  };
}

/** The last line that the person sees, else the last. */
const leadOf = (lines: readonly [UserMessage, ...UserMessage[]]): UserMessage =>
  lines.findLast(({ isMeta }) => isMeta !== true) ?? lines.at(-1) ?? lines[0];

const lastOf = ({ lines }: Answer): AssistantMessage => lines.at(-1) ?? lines[0];

const isResult = ({ type }: ContentBlock): boolean => type === "tool_result";
