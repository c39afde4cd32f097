import type { SimpleCommand } from "../shell/analysis/simple-command.ts";

/** One command as it is written, without its redirections. */
export const commandText = ({ assignments, words }: Pick<SimpleCommand, "assignments" | "words">): string =>
  [...assignments.map(({ name, value }) => `${name}=${value.source}`), ...words.map(({ source }) => source)].join(" ");
