import type { Task } from "./tasks.ts";
import type { Notice } from "./tool.ts";

/** A longer summary, result or note is cut. Characters. */
const MAX_TEXT_CHARS = 20_000;

/** Tells the model that a task has ended. Consumers match the tags. */
export function endedTaskNotice({ id, toolUseId, outputFile, status, end }: Task): Notice {
  return notice([
    ["task-id", id],
    ["tool-use-id", toolUseId],
    ["output-file", outputFile],
    ["status", status],
    ["summary", end?.summary],
    ["result", end?.result],
    ["note", end?.note],
  ]);
}

/** Tells the model of lines that a task has written. */
export function taskOutputNotice({ id, toolUseId, outputFile }: Task, summary: string, result: string): Notice {
  return notice([
    ["task-id", id],
    ["tool-use-id", toolUseId],
    ["output-file", outputFile],
    ["status", "running"],
    ["summary", summary],
    ["result", result],
  ]);
}

/** Tells the model of a task that ended with the process that ran it, before this session went on. */
export function lostTaskNotice({ id, description, outputFile }: Pick<Task, "id" | "description" | "outputFile">) {
  return notice([
    ["task-id", id],
    ["output-file", outputFile],
    ["status", "stopped"],
    ["summary", `Background task "${description}" was ended when its session stopped. It does not run any more.`],
  ]);
}

function notice(tags: readonly (readonly [name: string, text: string | undefined])[]): Notice {
  const lines = tags.flatMap(([name, text]) => (text === undefined ? [] : [`<${name}>${escaped(text)}</${name}>`]));
  const text = ["<task-notification>", ...lines, "</task-notification>"].join("\n");
  return { text, origin: { kind: "task-notification" } };
}

/** What a program wrote must not close a tag. */
const escaped = (text: string): string =>
  text.slice(0, MAX_TEXT_CHARS).toWellFormed().replaceAll("&", "&amp;").replaceAll("<", "&lt;");
