import { keptPer } from "../lib/kept-per.ts";
import { mayBeSet, shells } from "../shell/analysis/meaning.ts";
import { readsOnly } from "../shell/analysis/read-only/verdict.ts";
import { isKnown } from "../shell/analysis/shell-word.ts";
import {
  argumentsOf,
  namedProgram,
  programOf,
  type SimpleCommand,
  withStarted,
} from "../shell/analysis/simple-command.ts";

/** They run nothing that their arguments name. */
const plainPrograms: ReadonlySet<string> = new Set(
  (
    "echo printf mkdir touch rm rmdir chmod chown kill grep rg sed cat ls git npm yarn pnpm cargo pip pip3 apt apt-get brew curl " +
    "wget cd test [ sleep head tail wc sort uniq jq gh man which type tee"
  ).split(" "),
);

/** Words after which even these run something. */
const runs: Readonly<Record<string, RegExp>> = {
  git: new RegExp(
    "^(?:-c.*|--config-env.*|--exec.*|-[xuO].*|--open.*|--(?:upload|receive)-pack.*|ext::.*|config|hook|bisect|filter-branch|" +
      "foreach|difftool|mergetool|send-email|instaweb)$",
    "s",
  ),
  npm: /^(?:exec|x|explore|config|set|pkg|--script-shell.*|--call.*|-c)$/s,
  pnpm: /^(?:exec|dlx|x|config|set|pkg|--script-shell.*)$/s,
  yarn: /^(?:exec|dlx|node|config)$/,
  cargo: /^--config|runner/,
  apt: /^-o|::/,
  "apt-get": /^-o|::/,
  wget: /^--use-ask|^-e/,
  man: /^-[a-zA-Z]*[PH]|^--(?:pager|html)/,
  sed: /./,
  rg: /^--pre|^--hostname/,
  sort: /^--comp/,
  gh: /^(?:alias|extension|config)$/,
};

/**
 * Whether a program that is not understood is given the name of another one, in which case it may well run it. In a
 * command line that also runs a script, writing the name into a file counts too.
 */
export const mentions = (commands: readonly SimpleCommand[], program: string): boolean =>
  mentioned(commands).has(program.toLowerCase());

/** In lower case. */
const mentioned = keptPer((commands: readonly SimpleCommand[]): ReadonlySet<string> => {
  const all = withStarted(commands);
  const runsScript = all.some(
    (command) =>
      shells.has(programOf(command)) ||
      (command.words[0]?.value.includes("/") === true && namedProgram(command) === undefined),
  );
  const names = new Set<string>();
  for (const command of all) {
    if (!runsScript && isPlain(command) && !mayReach(command, all)) continue;
    for (const text of textsIn(command)) for (const word of wordsOf(text.toLowerCase())) names.add(word);
  }
  return names;
});

/** Whether what a command says may become words of one that is not understood: by a variable, or as what is piped in. */
const mayReach = ({ words }: SimpleCommand, all: readonly SimpleCommand[]): boolean => {
  const { isOpen, splits } = notPlain(all);
  return words.length === 0 ? isOpen : splits;
};

/** Of the commands that are not understood: whether any has a word that is not known, or one that may become several. */
const notPlain = keptPer((all: readonly SimpleCommand[]) => {
  const words = all.filter((command) => !isPlain(command)).flatMap((command) => command.words);
  return { isOpen: words.some((word) => !isKnown(word)), splits: words.some(({ maySplit }) => maySplit === true) };
});

function isPlain(command: SimpleCommand): boolean {
  if (!command.assignments.every(({ name }) => mayBeSet(name))) return false; // a pager, an editor
  if (command.words.length === 0 || command.starts.length > 0) return true;
  if (readsOnly(command) !== undefined) return true;
  const name = namedProgram(command) ?? "";
  const running = Object.hasOwn(runs, name) ? runs[name] : undefined;
  return plainPrograms.has(name) && !argumentsOf(command).some(({ value }) => running?.test(value) === true);
}

const textsIn = (command: SimpleCommand): string[] => [
  ...argumentsOf(command).map(({ value }) => value),
  ...command.assignments.map(({ value }) => value.value),
  ...command.redirections.flatMap(({ type, word }) => (type === "text" ? [word.value] : [])),
];

/** Words as a program might read them: names, the last part of paths, what stands right behind an option. */
const wordsOf = (text: string): string[] =>
  text.split(/[^\p{L}\p{N}_.+-]+/u).flatMap((word) => [word, word.replace(/\.$/, ""), word.replace(/^-[a-z]/i, "")]);
