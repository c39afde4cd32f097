import { plainCommand } from "./plain-command.ts";

/** What programs say when they wanted a person to answer. */
const ASKED_FOR_INPUT =
  /terminal prompts disabled|could not read (?:username|password)|host key verification failed|a terminal is required|stdin is not a (?:tty|terminal)|not a tty\b|EOF when reading a line|inappropriate ioctl for device|\/dev\/tty/i;

/** Programs that, called without arguments, do nothing but read what a person types. */
const readersOfInput = new Set("bash cat irb mysql node psql python python3 read sh sqlite3 tee zsh".split(" "));

/** A menu of the shell. */
const SELECT = /(?:^|[;&|({\n])\s*select\s+\w+\s+in\b/;

/** Programs that are for a person at a terminal, and the arguments with which they need none. */
const forPeople: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries("vi vim nvim view vimdiff".split(" ").map((name) => [name, /^(?:-[eE]?s|--headless)$/])),
  ...Object.fromEntries("nano pico mcedit".split(" ").map((name) => [name, /^$/])),
  emacs: /^(?:-batch|--batch|--script|--daemon)$/,
  passwd: /^(?:-[dSlue]|--(?:stdin|delete|status|lock|unlock|expire))$/,
  "npm init": /^(?:-y|--yes)$/,
  "yarn init": /^(?:-y|--yes)$/,
};

const ONLY_TELLS = /^(?:-h|--help|--version)$/;

/** Whether a command surely waited for input that no one gives here. */
export function askedForInput(command: string, stderr: string): boolean {
  if (ASKED_FOR_INPUT.test(stderr) || SELECT.test(command)) return true;
  const plain = plainCommand(command);
  if (plain === undefined) return false;
  const { program, words } = plain;
  if (readersOfInput.has(program)) return words.length === 1 || program === "read";
  const needsNobody = forPeople[program] ?? forPeople[words.slice(0, 2).join(" ")];
  return needsNobody !== undefined && !words.some((word) => needsNobody.test(word) || ONLY_TELLS.test(word));
}
