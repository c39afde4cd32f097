import { messageOf, PawlError } from "../lib/error.ts";
import type { ApiBlock } from "../messages/api-message.ts";
import type { ContentBlock, MessageOrigin, UserMessage, Uuid } from "../messages/message.ts";
import { fromApiContent } from "../messages/normalize.ts";
import { type CommandContext, type CommandOutcome, parseCommand } from "./command.ts";
import { refuseViolations, withoutPictures } from "./prompt-media.ts";
import { record, type Session } from "./session.ts";
import { setModel } from "./set-model.ts";

export type Prompt = string | readonly ApiBlock[];

/** What became of the input. */
export type ProcessedInput =
  | { type: "prompt"; content: ContentBlock[]; consumedCommands: readonly string[] }
  | { type: "answered"; command: string; text: string; isError: boolean; wasCleared: boolean };

/** Refuses what could not be sent, before anything is: an empty prompt, an unsupported or oversized block. */
export function checkPrompt(prompt: Prompt): void {
  const isEmpty = typeof prompt === "string" ? prompt.trim() === "" : prompt.length === 0;
  if (isEmpty) throw new PawlError("bad_prompt", "The prompt is empty: write what the model should do.");
  refuseViolations(typeof prompt === "string" ? prompt.toWellFormed() : withoutPictures(prompt));
}

export const isCommand = (prompt: Prompt): boolean => typeof prompt === "string" && parseCommand(prompt) !== undefined;

/** Slash commands have their effect here; everything else goes to the model as it is. */
export async function processInput(session: Session, prompt: Prompt): Promise<ProcessedInput> {
  const typed = typeof prompt === "string" ? parseCommand(prompt) : undefined;
  if (typed === undefined) return { type: "prompt", content: contentOf(prompt), consumedCommands: [] };
  const command = session.config.commands.find((candidate) => candidate.name === typed.name);
  if (command === undefined) {
    const known = session.config.commands.map((candidate) => `/${candidate.name}`).join(", ");
    const text = `Unknown command: /${typed.name}. Known: ${known}. To send the text itself, put a space in front.`;
    return { type: "answered", command: typed.name, text, isError: true, wasCleared: false };
  }
  let wasCleared = false;
  const context = commandContext(session, () => {
    wasCleared = true;
  });
  const outcome = await runCommand(() => command.run(typed.args, context));
  if (outcome.type === "prompt") {
    checkPrompt(outcome.content);
    return { type: "prompt", content: contentOf(outcome.content), consumedCommands: [command.name] };
  }
  return { type: "answered", command: command.name, text: outcome.text, isError: outcome.isError ?? false, wasCleared };
}

async function runCommand(run: () => Promise<CommandOutcome>): Promise<CommandOutcome> {
  try {
    return await run();
  } catch (error) {
    return { type: "answer", text: messageOf(error), isError: true };
  }
}

function commandContext(session: Session, cleared: () => void): CommandContext {
  return {
    async clear() {
      await clearConversation(session);
      cleared();
    },
    async setModel(name) {
      await setModel(session, name);
      return session.model.id;
    },
    modelId: () => session.model.id,
    commands: () => session.config.commands,
  };
}

/** The message list is replaced by a journal entry; nothing that was written is changed. */
async function clearConversation(session: Session): Promise<void> {
  await record(session, { type: "projection", op: "clear", refs: [], reason: "/clear" });
  session.messages = [];
  for (const [path] of [...session.config.readState.entries()]) session.config.readState.delete(path);
  await record(session, { type: "state", part: "readState", value: [] });
}

function contentOf(prompt: Prompt): ContentBlock[] {
  return typeof prompt === "string" ? [{ type: "text", text: prompt.toWellFormed() }] : fromApiContent([...prompt]);
}

export const userLine = (uuid: Uuid, content: ContentBlock[], isMeta = false, origin?: MessageOrigin): UserMessage => ({
  role: "user",
  uuid,
  content,
  ...(isMeta ? { isMeta } : {}),
  ...(origin === undefined ? {} : { origin }),
});
