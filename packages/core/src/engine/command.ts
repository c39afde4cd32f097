import type { ApiBlock } from "../messages/api-message.ts";

/** A slash command: what the engine does when the input begins with its name. */
export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  run(args: string, context: CommandContext): Promise<CommandOutcome>;
}

export type CommandOutcome =
  /** Answered without the model. */
  | { type: "answer"; text: string; isError?: boolean }
  /** Goes to the model in place of what was typed. */
  | { type: "prompt"; content: string | ApiBlock[] };

/** What a command may do to the conversation. */
export interface CommandContext {
  /** Starts the conversation anew; what was written stays in the journal. */
  clear(): Promise<void>;
  /** From this turn on. Gives the id; throws PawlError `unknown_model`, `bad_option`. */
  setModel(name: string): Promise<string>;
  modelId(): string;
  commands(): readonly Command[];
}

/** Splits `/name args`; undefined when the text is no command. A path such as `/usr/bin` is none. */
export function parseCommand(text: string): { name: string; args: string } | undefined {
  const match = /^\/([A-Za-z][\w:-]*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd());
  return match?.[1] === undefined ? undefined : { name: match[1], args: match[2] ?? "" };
}

export const builtinCommands: readonly Command[] = [
  {
    name: "clear",
    description: "Starts the conversation anew; the transcript keeps what was said.",
    async run(_args, context) {
      await context.clear();
      return { type: "answer", text: "The conversation starts anew." };
    },
  },
  {
    name: "model",
    description: "Shows the model, or changes it for what follows.",
    argumentHint: "[name]",
    async run(args, context) {
      const name = args.trim();
      if (name === "") return { type: "answer", text: `The model is ${context.modelId()}.` };
      return { type: "answer", text: `The model is now ${await context.setModel(name)}.` };
    },
  },
  {
    name: "help",
    description: "Lists the commands.",
    async run(_args, context) {
      const lines = context.commands().map((command) => {
        const hint = command.argumentHint === undefined ? "" : ` ${command.argumentHint}`;
        return `/${command.name}${hint} – ${command.description}`;
      });
      return { type: "answer", text: lines.join("\n") };
    },
  },
];
