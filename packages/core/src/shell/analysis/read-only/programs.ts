import type { AllowedOptions } from "./options.ts";

/** What is known of a program that changes nothing. */
type ReadOnlyProgram = {
  /** Absent: whatever its options are. */
  options?: AllowedOptions;
  /**
   * What its words are: files that it reads, or texts.
   */
  words: "files" | "texts";
  /** Options that do more than read the words: a file names further files, or a text is one. */
  never?: { short?: string; long?: readonly string[] };
  /** One more, and it would write to it or set something. */
  maxOperands?: number;
};

const files: ReadOnlyProgram = { words: "files" };
const texts: ReadOnlyProgram = { words: "texts" };
/** A list of files is read, and then what it names, wherever that lies. */
const sums: ReadOnlyProgram = { words: "files", never: { short: "c", long: ["check"] } };
const counters: ReadOnlyProgram = { words: "files", never: { long: ["files0-from"] } };

const all = (names: string, program: ReadOnlyProgram) => names.split(" ").map((name) => [name, program] as const);

/** Programs that change nothing and start nothing, with the options that keep it so. */
export const readOnlyPrograms: ReadonlyMap<string, ReadOnlyProgram> = new Map([
  ...all(
    "cat tac nl head tail ls stat df sum cmp comm paste join fold fmt expand unexpand rev od hexdump readlink realpath " +
      "tsort bc",
    files,
  ),
  ...all("cksum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum", sums),
  ...all("wc du", counters),
  ...all(
    "echo true false : pwd basename dirname seq sleep whoami id groups uname nproc free locale printenv " +
      "cal logname factor numfmt expr tr type which tty",
    texts,
  ),
  ["uptime", { words: "texts", maxOperands: 0, options: { flags: "ps", long: "pretty since" } }],
  ["w", { words: "texts", maxOperands: 0, options: { flags: "hsfoi" } }],
  ["who", { words: "texts", maxOperands: 0, options: { flags: "abdHlmpqrstTuw" } }],
  ["vmstat", { words: "texts", options: { flags: "aswmndtw", values: "S" } }],
  ["pidof", { words: "texts", options: { flags: "sxcqw", values: "o" } }],
  ["lsblk", { words: "texts", options: { flags: "abdfilmnprstJOPST", values: "oeI", long: "all fs json output=" } }],
  ["mount", { words: "texts", maxOperands: 0, options: { flags: "l", values: "t" } }],
  ["findmnt", { words: "texts", maxOperands: 0, options: { flags: "aDlnrJ", values: "to" } }],
  ["dmesg", { words: "texts", maxOperands: 0, options: { flags: "TktxrPLd", values: "lf" } }],
  ["iconv", { words: "files", options: { flags: "csl", values: "ft", long: "from-code= to-code= list" } }],
  // It has `dpkg-query` tell it.
  ["dpkg", { words: "texts", options: { flags: "lLsS", long: "list listfiles status search" } }],
  ["dpkg-query", { words: "texts", options: { flags: "lWLsS", long: "list show listfiles status search" } }],
  ["namei", { words: "files", options: { flags: "lmovxn" } }],
  ["lsattr", { words: "files", options: { flags: "adlpv" } }],
  ["getfacl", { words: "files", options: { flags: "acdenpPt" } }],
  ["getconf", { words: "texts", options: { flags: "a" } }],
  ["whereis", { words: "texts", options: { flags: "bmsul" } }],
  ["lscpu", { words: "texts", maxOperands: 0, options: { flags: "aBbcJpexy", long: "all bytes offline online json" } }],
  [
    "pgrep",
    {
      words: "texts",
      options: {
        flags: "laAvwcfinox",
        values: "dgGPOstuUr",
        long:
          "list-name list-full inverse lightweight count full ignore-case newest oldest exact ignore-ancestors delimiter= " +
          "pgroup= group= parent= older= session= terminal= euid= uid= runstates=",
      },
    },
  ],
  // Elsewhere than on Linux a file to write may be given, and a program to run.
  ...all("base32 base64", {
    words: "files",
    options: { flags: "dDi", values: "wb", long: "decode ignore-garbage wrap= break=" },
  }),
  ["arch", { words: "texts", maxOperands: 0, options: {} }],
  ["jobs", { words: "texts", options: { flags: "lnprs" } }],
  ["cd", { words: "files", options: { flags: "LP" }, maxOperands: 1 }],
  [
    "cut",
    {
      words: "files",
      options: {
        flags: "nsz",
        values: "bcdf",
        long: "complement delimiter= fields= characters= bytes= output-delimiter= only-delimited zero-terminated",
      },
    },
  ],
  [
    "sort",
    {
      words: "files",
      options: {
        flags: "bdfghiMnRrVcCmsuz",
        values: "kt",
        long:
          "ignore-leading-blanks dictionary-order ignore-case general-numeric-sort human-numeric-sort month-sort numeric-sort " +
          "random-sort reverse version-sort check unique zero-terminated stable key= field-separator= sort=",
      },
    },
  ],
  [
    "uniq",
    {
      words: "files",
      maxOperands: 1,
      options: {
        flags: "cdDiuz",
        values: "fsw",
        long: "count repeated unique ignore-case skip-fields= skip-chars= check-chars= zero-terminated all-repeated",
      },
    },
  ],
  ["shuf", { words: "files", options: { flags: "erz", values: "ni", long: "echo head-count= input-range= repeat" } }],
  ["column", { words: "files", options: { flags: "tnexJ", values: "socNRHO", long: "table separator= json" } }],
  // It takes no clusters: `-ps` is one option, without a value.
  ["xxd", { words: "files", maxOperands: 1, options: { long: "-a -b -e -E -i -p -ps -u -C", values: "cgslo" } }],
  [
    "file",
    {
      words: "files",
      options: {
        flags: "bihLkNrs0",
        long: "brief mime mime-type mime-encoding dereference no-dereference",
        takesPatterns: true,
      },
    },
  ],
  [
    "diff",
    {
      words: "files",
      options: {
        flags: "qsiwbBEatcuyNprTZ0123456789",
        values: "UCWI",
        long:
          "brief recursive report-identical-files unified=? context=? side-by-side ignore-case ignore-all-space ignore-space-change " +
          "ignore-blank-lines color=? text new-file suppress-common-lines width= strip-trailing-cr normal",
      },
    },
  ],
  [
    "tree",
    {
      words: "files",
      options: {
        flags: "adfisugphDFnCAJrtUvX",
        values: "LIP",
        long: "--dirsfirst --noreport --gitignore --du --prune filelimit=",
      },
    },
  ],
  [
    "date",
    {
      words: "texts",
      options: { flags: "uRI", values: "d", long: "utc universal date= rfc-3339= iso-8601=? rfc-email" },
    },
  ],
  // Its other options ask a name server.
  ["hostname", { words: "texts", maxOperands: 0, options: { flags: "sI" } }],
  ["umask", { words: "texts", maxOperands: 0, options: { flags: "S" } }],
  ["command", { words: "texts", options: { flags: "vV" } }],
  ["env", { words: "texts", maxOperands: 0, options: { flags: "0" } }],
]);

/**
 * Asked for their version alone, in this one word, these tell it and end. Not here: programs that are often scripts of a version
 * manager, which start many others (python, ruby), that fetch another version of themselves when a project names one (cargo,
 * rustc, go), that look for a newer one (gh, terraform), and those that write beside it (java).
 */
const versionWords: Readonly<Record<string, string>> = {
  "--version":
    "node perl php gcc g++ cc c++ clang clang++ ld make cmake ninja bash zsh jq rg fd tar sed grep git awk gawk find sort xargs npm " +
    "bun curl wget sqlite3 docker gzip xz file diff less strace rsync",
  "-v": "node perl php npm bun gcc clang",
  "-V": "perl ssh curl wget jq rg fd xz file make strace",
  version: "openssl git",
};

/** Whether a program asked by `word` alone tells its version. */
export const tellsVersion = (program: string, word: string): boolean =>
  Object.hasOwn(versionWords, word) && (versionWords[word] ?? "").split(" ").includes(program);
