import { plainCommand } from "./plain-command.ts";

/** What programs say when they wanted a person to answer. */
const ASKED_FOR_INPUT =
  /terminal prompts disabled|could not read (?:username|password)|host key verification failed|a terminal is required|stdin is not a (?:tty|terminal)|not a tty\b|EOF when reading a line|inappropriate ioctl for device|\/dev\/tty/i;

/** Programs that, called without arguments, do nothing but read what a person types. */
const readersOfInput = new Set("bash cat irb mysql node psql python python3 read sh sqlite3 tee zsh".split(" "));

/** Whether a command surely waited for input that no one gives here. */
export function askedForInput(command: string, stderr: string): boolean {
  if (ASKED_FOR_INPUT.test(stderr)) return true;
  const plain = plainCommand(command);
  if (plain === undefined || !readersOfInput.has(plain.program)) return false;
  return plain.words.length === 1 || plain.program === "read";
}
