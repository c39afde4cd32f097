import type { Section } from "./section.ts";
import { doingTasks } from "./sections/doing-tasks.ts";
import { identity } from "./sections/identity.ts";
import { safety } from "./sections/safety.ts";
import { tone } from "./sections/tone.ts";
import { usingTools } from "./sections/using-tools.ts";
import { type SystemContext, systemContextText } from "./system-context.ts";

/** Their order is the prompt's. */
const defaultSections: readonly Section[] = [identity, doingTasks, usingTools, safety, tone];

type SystemPromptOptions = {
  /** Instead of the default sections; an empty text means no system prompt but the appended one. */
  customPrompt?: string;
  appendPrompt?: string;
  /** Names of the tools that the model is offered. */
  tools: readonly string[];
  /** How memory is kept; with a custom prompt the caller decides whether it is given. */
  memoryMechanics?: string;
  systemContext: SystemContext;
};

/** The system prompt as blocks of text, none of them blank: sections or custom prompt, memory, context, appended prompt. */
export function buildSystemPrompt(options: SystemPromptOptions): string[] {
  const { customPrompt, appendPrompt = "", tools, memoryMechanics = "", systemContext } = options;
  if (customPrompt === "") return withoutBlanks([appendPrompt]);
  const offered = new Set(tools);
  const base = customPrompt === undefined ? defaultSections.map((section) => section(offered)) : [customPrompt];
  return withoutBlanks([...base, memoryMechanics, systemContextText(systemContext), appendPrompt]);
}

/** The API refuses blank blocks. */
const withoutBlanks = (blocks: readonly string[]) => blocks.filter((block) => block.trim() !== "");
