import { isKnown, isOption, type ShellWord } from "../shell-word.ts";
import { type AllowedOptions, mayHave, operandsOf } from "./options.ts";

/** Whether what is asked of git changes nothing and starts nothing but what its own settings name. */
export function isReadOnlyGit(args: readonly ShellWord[]): boolean {
  if (!args.every(({ value }) => value !== "")) return false;
  const begin = args.findIndex(
    ({ value }) => !/^(?:--no-pager|-P|--no-optional-locks|--literal-pathspecs)$/.test(value),
  );
  const command = args[begin];
  if (command === undefined || !isKnown(command)) return false;
  const rest = args.slice(begin + 1);
  if (command.value === "--help" || command.value === "help") return rest.length === 0;
  if (rest[0]?.value === "--help") return false; // it starts what shows the manual, which may be a browser
  if (rest.some(({ globAt }) => globAt !== undefined)) return false;
  if (looking.has(command.value)) {
    const open = command.value === "log" ? rest.filter(({ value }) => value !== "--follow") : rest;
    return !mayHave(open, dangerous) && !rest.some(asksForSignature);
  }
  return lists(command.value, rest) || isReadOnlyAction(command.value, rest);
}

function lists(command: string, rest: readonly ShellWord[]): boolean {
  const allowed = Object.hasOwn(listing, command) ? listing[command] : undefined;
  const operands = allowed === undefined ? undefined : operandsOf(rest, allowed);
  if (operands === undefined || rest.some(asksForSignature)) return false;
  return (
    operands.length === 0 || rest.some(({ value }) => isListFlag.test(value) || (command === "tag" && value === "-l"))
  );
}

const looking: ReadonlySet<string> = new Set(
  (
    "status diff log show blame annotate shortlog rev-parse rev-list ls-files ls-tree describe merge-base name-rev " +
    "show-ref for-each-ref count-objects diff-tree diff-index diff-files cherry range-diff check-ignore " +
    "check-attr cat-file grep version --version"
  ).split(" "),
);

/** `--output` writes, the others start programs; so does a format with a signature in it. */
const dangerous = {
  short: "O",
  long: [
    ..."output ext-diff textconv filters show-signature open-files-in-pager dirty broken stdin-paths no-index".split(
      " ",
    ),
    ..."follow-symlinks parseopt sq-quote recurse-submodules submodule".split(" "),
    ..."remerge-diff diff-merges".split(" "), // merges anew, in a folder among the objects
  ],
};
const asksForSignature = ({ value }: ShellWord) => /%G|%\(signature/.test(value) || value.includes("signature");

type Listing = AllowedOptions & { maxOperands?: number };

/** Commands that list without operands, and change something with one. */
const listing: Readonly<Record<string, AllowedOptions>> = {
  branch: {
    flags: "avrlqi",
    long:
      "all remotes list verbose show-current color=? no-color column=? no-column sort= ignore-case contains=? no-contains=? " +
      "merged=? no-merged=? points-at= abbrev=? no-abbrev",
  },
  tag: {
    flags: "lin",
    long: "list sort= contains=? no-contains=? merged=? no-merged=? points-at= column=? ignore-case color=?",
  },
  remote: { flags: "v", long: "verbose" },
};
const isListFlag = /^--(?:list|contains|no-contains|merged|no-merged)$/;

const actions: Readonly<Record<string, Readonly<Record<string, Listing>>>> = {
  remote: { "get-url": { maxOperands: 1, long: "all push" } },
  stash: { list: {}, show: { maxOperands: 1, flags: "pu", long: "stat patch name-only name-status numstat" } },
  worktree: { list: { flags: "v", long: "porcelain verbose" } },
  reflog: { show: { maxOperands: 1, flags: "0123456789", values: "n", long: "oneline" } },
  config: {
    "--get": { maxOperands: 1 },
    "--get-all": { maxOperands: 1 },
    "--list": { long: "show-origin show-scope name-only local global" },
    "-l": { long: "show-origin show-scope name-only local global" },
    list: { long: "show-origin show-scope name-only local global" },
    get: { maxOperands: 1, long: "all show-origin" },
  },
  notes: { list: {}, show: { maxOperands: 1 } },
};

function isReadOnlyAction(command: string, rest: readonly ShellWord[]): boolean {
  const [action, ...args] = rest;
  if (command === "reflog" && (action === undefined || isOption(action))) {
    return operandsOf(rest, { flags: "0123456789", values: "n", long: "oneline all" })?.length === 0;
  }
  if (command === "config" && rest.length === 1 && action !== undefined && !isOption(action))
    return /^[a-z][\w-]*\.[\w.-]+$/i.test(action.value);
  const known = Object.hasOwn(actions, command) ? actions[command] : undefined;
  if (action === undefined || known === undefined || !Object.hasOwn(known, action.value)) return false;
  const allowed = known[action.value];
  const operands = allowed === undefined ? undefined : operandsOf(args, allowed);
  return operands !== undefined && operands.length <= (allowed?.maxOperands ?? 0);
}
