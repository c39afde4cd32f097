import { findsFiles, foundBelow } from "./lists-files.ts";
import { changesMeaning, interpreters, shells } from "./meaning.ts";
import { isKnown, isOneWord, isOption, mayBecomeOption, type ShellWord, UNKNOWN } from "./shell-word.ts";
import type { AssignedVariable, SimpleCommand, Wrapper } from "./simple-command.ts";

/** What a command starts. */
export type Started =
  | { type: "nothing" }
  | { type: "command"; words: readonly ShellWord[]; wrapper: Wrapper; assignments?: readonly AssignedVariable[] }
  | { type: "commands"; each: readonly (readonly ShellWord[])[]; wrapper: Wrapper }
  /** A script as text; `inShell`: it runs in the shell that reads the command line. */
  | { type: "script"; text: string; inShell: boolean }
  /** Whatever comes from its standard input. */
  | { type: "input" }
  | { type: "doubt"; reason: string };

type Options = {
  wrapper: Wrapper;
  /** Letters of options without and with a value. */
  flags?: string;
  values?: string;
  /** Long options; those with a value end in `=`. */
  long?: string;
  /** Words between the options and the command. */
  operands?: number;
  /** `NAME=value` words may stand before the command. */
  takesAssignments?: boolean;
  /** Options after which it only tells something. */
  tells?: string;
};

const wrappers: Readonly<Record<string, Options>> = {
  timeout: {
    wrapper: "transparent",
    flags: "vfp",
    values: "ks",
    long: "foreground preserve-status verbose kill-after= signal=",
    operands: 1,
  },
  time: { wrapper: "transparent", flags: "p" },
  nice: { wrapper: "transparent", flags: "0123456789", values: "n", long: "adjustment=" },
  nohup: { wrapper: "transparent" },
  stdbuf: { wrapper: "transparent", values: "ioe", long: "input= output= error=" },
  command: { wrapper: "transparent", flags: "p", tells: "vV" },
  builtin: { wrapper: "transparent" },
  noglob: { wrapper: "transparent" },
  nocorrect: { wrapper: "starter" },
  "-": { wrapper: "starter" },
  exec: { wrapper: "starter", flags: "cl", values: "a" },
  env: {
    wrapper: "starter",
    flags: "i0v",
    values: "u",
    long: "ignore-environment null debug unset=",
    takesAssignments: true,
  },
  sudo: {
    wrapper: "starter",
    flags: "AbEHknPSKB",
    values: "ughpCrtTDRU",
    long: "user= group= host= prompt= preserve-env non-interactive set-home stdin background chdir=",
    takesAssignments: true,
  },
  doas: { wrapper: "starter", flags: "nL", values: "uC" },
  setsid: { wrapper: "executor", flags: "cfw", long: "ctty fork wait" },
  ionice: { wrapper: "executor", flags: "t", values: "cn", long: "class= classdata= ignore" },
  flock: {
    wrapper: "executor",
    flags: "sxenuFo",
    values: "wE",
    long: "shared exclusive nonblock timeout= no-fork close wait=",
    operands: 1,
  },
  watch: {
    wrapper: "executor",
    flags: "bcdegtwx",
    values: "n",
    long: "interval= differences no-title exec color beep errexit chgexit precise",
  },
  chrt: { wrapper: "executor", flags: "bfiorRa", operands: 1 },
  taskset: { wrapper: "executor", flags: "c", operands: 1 },
  busybox: { wrapper: "executor" },
  toybox: { wrapper: "executor" },
};

const xargs: Options = {
  wrapper: "starter",
  flags: "0rtpxo",
  values: "nLPsdaEI",
  long:
    "null no-run-if-empty verbose interactive exit open-tty max-args= max-lines= max-procs= max-chars= delimiter= " +
    "arg-file= eof=",
};

/** What the command in `words` starts, read from its arguments. */
export function startedBy(words: readonly ShellWord[], program: string, input: SimpleCommand["input"]): Started {
  const args = words.slice(1);
  if (program === "set" && args.every(({ value }) => harmlessSetting.test(value))) return { type: "nothing" };
  if (isListing(program, args)) return { type: "nothing" };
  if (changesMeaning.has(program)) return { type: "doubt", reason: `${program} changes what later commands mean` };
  if (program === "eval") return scriptOf(args, true);
  if (program === "find") return findActions(args);
  if (program === "fd" || program === "fdfind") return fdActions(args);
  if (program === "xargs") return xargsCommand(args, input);
  if (shells.has(program)) return shellScript(args);
  if (program === "exec" && args.length === 0) return { type: "doubt", reason: "it redirects the shell itself" };
  if (interpreters.has(program) && args.every(({ value }) => value === "-")) return { type: "input" };
  const options = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined;
  if (options === undefined) return { type: "nothing" };
  return commandAfter(args, options, program);
}

/** Settings that end a script early or show what it does. */
const harmlessSetting = /^(?:[-+][eux]*o?|pipefail|errexit|nounset|xtrace)$/;

/** With which words builtins that change what later commands mean only list. */
const listings: Readonly<Record<string, RegExp>> = {
  alias: /^$/,
  hash: /^$/,
  history: /^\d*$/,
  declare: /^-p(?: [A-Za-z_]\w*)*$/,
  typeset: /^-p(?: [A-Za-z_]\w*)*$/,
  ulimit: /^(?:-[SH]?[a-z])?$/,
};

const isListing = (program: string, args: readonly ShellWord[]): boolean =>
  Object.hasOwn(listings, program) &&
  args.every(isKnown) &&
  listings[program]?.test(args.map(({ value }) => value).join(" ")) === true;

/** Where the options end and the command begins. */
function commandAfter(args: readonly ShellWord[], options: Options, program: string): Started {
  let at = skipOptions(args, options);
  if (at === "tells") return { type: "nothing" };
  if (at === undefined) return { type: "doubt", reason: `what ${program} starts cannot be told from its options` };
  const operands = args.slice(at, at + (options.operands ?? 0));
  if (operands.some(mayBecomeOption)) return { type: "doubt", reason: `an operand of ${program} is not known` };
  at += operands.length;
  const assignments: AssignedVariable[] = [];
  for (let word = args[at]; options.takesAssignments === true && word !== undefined; word = args[at]) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word.value) ?? [];
    if (name === undefined) break;
    if (!isOneWord(word)) return { type: "doubt", reason: `what ${program} starts is only known when it runs` };
    // Where quotes stand around name and value together, the value is quoted anew.
    const isPlain = word.source.startsWith(`${name}=`);
    const source = isPlain ? word.source.slice(name.length + 1) : `'${value.replaceAll("'", "'\\''")}'`;
    assignments.push({ name, value: { value, source } });
    at++;
  }
  const words = args.slice(at);
  if (program === "watch" && words.length > 0) return watched(words);
  if (program === "flock" && words[0]?.value === "-c") return scriptOf(words.slice(1), false);
  if (words.length === 0) return { type: "nothing" };
  return { type: "command", words, wrapper: options.wrapper, assignments };
}

/** `watch` gives its words to a shell as one text. */
function watched(words: readonly ShellWord[]): Started {
  if (!words.every(isKnown)) return { type: "doubt", reason: "what watch starts is not known" };
  return { type: "script", text: words.map(({ value }) => value).join(" "), inShell: false };
}

function skipOptions(args: readonly ShellWord[], options: Options): number | "tells" | undefined {
  const long = (options.long ?? "").split(" ");
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || !isOption(word)) return at;
    if (!isKnown(word)) return undefined;
    const { value } = word;
    if (value === "--") return at + 1;
    if (value.startsWith("--")) {
      const [name = "", attached] = value.slice(2).split(/=(.*)/s);
      const takesValue = long.includes(`${name}=`);
      if (!takesValue && !long.includes(name)) return undefined;
      if (takesValue && attached === undefined && !isValue(args[++at])) return undefined;
      continue;
    }
    const next = skipCluster(value.slice(1), options);
    if (next === undefined || next === "tells") return next;
    if (next > 0 && !isValue(args[++at])) return undefined;
  }
  return args.length;
}

/** Of several words only the first would be the option's value. */
const isValue = (word: ShellWord | undefined) => word === undefined || isOneWord(word);

/** How many words after a cluster of short options are its value: one or none. */
function skipCluster(letters: string, options: Options): number | "tells" | undefined {
  for (let at = 0; at < letters.length; at++) {
    const letter = letters.charAt(at);
    if (options.tells?.includes(letter) === true) return "tells";
    if (options.values?.includes(letter) === true) return at === letters.length - 1 ? 1 : 0;
    if (options.flags?.includes(letter) !== true) return undefined;
  }
  return 0;
}

function scriptOf(args: readonly ShellWord[], inShell: boolean): Started {
  if (args.length === 0) return { type: "nothing" };
  if (!args.every(isKnown)) return { type: "doubt", reason: "a script is put together when it runs" };
  return { type: "script", text: args.map(unmarked).join(" "), inShell };
}

/** Without the mark of a quoted tilde. */
const unmarked = ({ value }: ShellWord) => value.replace(/^\.\/~/, "~");

const isInput = /^\/(?:dev|proc)\//;

/** `sh -c 'script'`, `sh file`, or `sh` alone, which reads its standard input. */
function shellScript(args: readonly ShellWord[]): Started {
  let takesScript = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) break;
    const { value } = word;
    if (!isKnown(word)) return { type: "doubt", reason: "what a shell is to run is not known" };
    if (value === "--version" || value === "--help") return { type: "nothing" };
    if (value === "-" || value === "--" || !/^[-+]/.test(value)) {
      const script = /^--?$/.test(value) ? args[at + 1] : word;
      if (!takesScript)
        return script === undefined || isInput.test(script.value) ? { type: "input" } : { type: "nothing" };
      return script === undefined ? { type: "nothing" } : scriptOf([script], false);
    }
    const flags = /^-([celuxvnfa]*)o?$/.exec(value);
    const isLong = value === "--norc" || value === "--noprofile" || value === "--posix" || value === "--login";
    if (value === "-s") return { type: "input" };
    if (/^[-+]O$/.test(value) || (flags === null && !isLong))
      return { type: "doubt", reason: "the options of a shell are not known" };
    if (flags?.[1]?.includes("c") === true) takesScript = true;
    if (value.endsWith("o") && flags !== null) at++;
  }
  return takesScript ? { type: "nothing" } : { type: "input" };
}

const finds = /^-(?:exec|execdir|ok|okdir)$/;

/** The commands after each `-exec`; what is found stands for `{}`. */
function findActions(args: readonly ShellWord[]): Started {
  const values = args.map(({ value }) => value);
  const isListed = findsFiles(values);
  const found: Found = { isListed, isPath: isListed, ...below(args.every(isKnown) ? foundBelow(values) : undefined) };
  const each: ShellWord[][] = [];
  for (let at = 0; at < args.length; at++) {
    if (!finds.test(args[at]?.value ?? "")) continue;
    const end = args.findIndex(({ value }, index) => index > at && (value === ";" || isPlus(value, args[index - 1])));
    if (end === -1) return { type: "doubt", reason: "what find starts has no end" };
    each.push(args.slice(at + 1, end).map((word) => filledIn(word, "{}", found)));
    at = end;
  }
  return each.length === 0 ? { type: "nothing" } : { type: "commands", each, wrapper: "executor" };
}

const isPlus = (value: string, before: ShellWord | undefined) => value === "+" && before?.value === "{}";

function fdActions(args: readonly ShellWord[]): Started {
  const at = args.findIndex(({ value }) => /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/.test(value));
  if (at === -1) {
    const hidden = args.some(({ value }) => /^-[a-zA-Z]*[xX]|^--exec/.test(value));
    return hidden ? { type: "doubt", reason: "what fd starts is not known" } : { type: "nothing" };
  }
  const words = args.slice(at + 1).map((word) => filledIn(word, "{"));
  return { type: "commands", each: [words], wrapper: "executor" };
}

/** What is known of a name that is only found when the command runs. */
type Found = Pick<ShellWord, "isListed" | "isPath" | "foundBelow">;

const below = (folder: string | undefined): Found => (folder === undefined ? {} : { isPath: true, foundBelow: folder });

/** A word in which a placeholder will be replaced. */
function filledIn(word: ShellWord, placeholder: string, found: Found = {}): ShellWord {
  if (!word.value.includes(placeholder)) return word;
  if (word.value === placeholder) return { value: UNKNOWN, source: word.source, ...found };
  return { value: word.value.replaceAll(placeholder, UNKNOWN), source: word.source };
}

function xargsCommand(args: readonly ShellWord[], input: SimpleCommand["input"]): Started {
  const at = skipOptions(args, xargs);
  if (at === undefined || at === "tells") {
    return { type: "doubt", reason: "what xargs starts cannot be told from its options" };
  }
  const words = args.slice(at);
  if (words.length === 0) return { type: "nothing" };
  const wrapper = at === 0 ? "transparent" : "starter";
  const placeholder = placeholderIn(args.slice(0, at));
  if (placeholder === undefined) {
    const isWhole = args.slice(0, at).some(({ value }) => /^-[rtx]*0|^--null$/.test(value));
    const isListed = isWhole && /^(?:listed|found)$/.test(input);
    const isPath = isListed && input === "found";
    const folder = isWhole ? /^below (.*)$/s.exec(input)?.[1] : undefined;
    const fed: ShellWord = { value: UNKNOWN, source: "", maySplit: true, isListed, isPath, ...below(folder) };
    return { type: "command", words: [...words, fed], wrapper };
  }
  return { type: "command", words: words.map((word) => filledIn(word, placeholder)), wrapper };
}

/** Of `-I {}` or `-I{}`. */
function placeholderIn(options: readonly ShellWord[]): string | undefined {
  const at = options.findIndex(({ value }) => /^-[0rtpxo]*I/.test(value));
  const attached = options[at]?.value.replace(/^-[0rtpxo]*I/, "");
  return attached === "" ? options[at + 1]?.value : attached;
}
