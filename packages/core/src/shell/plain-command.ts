/** A command line that is one program with literal arguments. */
type PlainCommand = {
  program: string;
  /** All words without their quotes, the program first. */
  words: string[];
};

/** Words that are grammar where a program would stand. */
export const reservedWords: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac select function in time coproc".split(" "),
);

/** A run of plain characters, of single quotes with anything in them, or of double quotes with nothing to expand. */
const WORD = /(?:[^\s'"\\;&|<>$`(){}*?[\]~#!\p{C}]|'[^'\p{C}]*'|"[^"\\$`!\p{C}]*")+/uy;
const BLANKS = /[ \t]+/y;
const ASSIGNMENT = /^\w+\+?=/;

/**
 * Reads a command line that every POSIX shell reads the same way: one simple command, nothing expanded, redirected or
 * chained. Undefined for everything else, also where a closer look would find it harmless.
 */
export function plainCommand(command: string): PlainCommand | undefined {
  const source = command.replace(/^[ \t]+|[ \t\n]+$/g, "");
  const words: string[] = [];
  let at = 0;
  while (at < source.length) {
    const word = matchAt(WORD, source, at);
    if (word === undefined) return undefined;
    // zsh replaces `=name` by the path of a program.
    if (word.startsWith("=")) return undefined;
    words.push(word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double));
    at += word.length;
    if (at === source.length) break;
    const blanks = matchAt(BLANKS, source, at);
    if (blanks === undefined) return undefined;
    at += blanks.length;
  }
  const [program] = words;
  if (program === undefined || program === "" || reservedWords.has(program) || ASSIGNMENT.test(source))
    return undefined;
  return { program, words };
}

function matchAt(sticky: RegExp, source: string, at: number): string | undefined {
  sticky.lastIndex = at;
  return sticky.exec(source)?.[0];
}

/**
 * Programs that change nothing, whatever their arguments: they may run beside each other. Not here, because an argument
 * makes them write or run something: date (sets the clock), sort, uniq, tree, xxd, find, env, arch, git, rg, less, file;
 * and the built-ins printf and test, which run what stands in the subscript of `-v 'a[$(...)]'`.
 */
const harmlessPrograms = new Set(
  (
    "basename cat cksum cmp cut df dirname du echo egrep false fgrep grep groups head id ls md5sum nl nproc od pwd " +
    "readlink realpath seq sha1sum sha256sum sleep stat tac tail tr true uname wc which whoami"
  ).split(" "),
);

/** Whether a command line surely changes nothing. */
export function isHarmless(command: string): boolean {
  const plain = plainCommand(command);
  return plain !== undefined && harmlessPrograms.has(plain.program);
}
