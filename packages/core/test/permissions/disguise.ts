import type { Random } from "./random.ts";

/** One way to run the words of a command without looking like it. */
type Disguise = (words: readonly string[], random: Random) => string;

const plain = (words: readonly string[]) => words.join(" ");
const quotedOnce = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** As the words of one command, which a line of several is not. */
const simple = (words: readonly string[]) =>
  /[|&;<>()`\n]/.test(plain(words)) ? `bash -c ${quotedOnce(plain(words))}` : plain(words);
const doubleQuoted = (text: string) => `"${text.replace(/["\\$`]/g, "\\$&")}"`;
const escaped = (text: string) =>
  Array.from(text, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");

/** Other spellings of the program's name. */
const spelled = (name: string, random: Random): string =>
  random.pick([
    name,
    `'${name}'`,
    `"${name}"`,
    `\\${name}`,
    `${name.charAt(0)}\\${name.slice(1)}`,
    `${name.charAt(0)}''${name.slice(1)}`,
    `${name.charAt(0)}"${name.slice(1)}"`,
    `$'${escaped(name)}'`,
    `/bin/${name}`,
    `/usr/bin/${name}`,
    `/usr/../bin/${name}`,
    `//bin//${name}`,
    `${name.charAt(0)}\\\n${name.slice(1)}`,
  ]);

const wrappers = [
  "timeout 5",
  "timeout -k 1 5s",
  "nice -n 3",
  "nice",
  "nohup",
  "env",
  "env A=1 B=2",
  "env -i",
  "command",
  "command -p",
  "stdbuf -oL",
  "time",
  "setsid",
  "ionice -c2",
  "A=1",
  "LC_ALL=C B='x y'",
  "exec",
  "!",
  "flock lock",
  "env -u HOME",
];

/** Ways to write the whole of it; each runs the same command. */
const shapes: readonly Disguise[] = [
  (words) => plain(words),
  (words, random) => `${random.pick(wrappers)} ${plain(words)}`,
  (words, random) => `${random.pick(wrappers.slice(0, 12))} ${random.pick(wrappers.slice(0, 11))} ${plain(words)}`,
  (words) => `true && ${plain(words)}`,
  (words) => `false || ${plain(words)}`,
  (words) => `ls; ${plain(words)}`,
  (words) => `ls\n${plain(words)}`,
  (words) => `ls | ${plain(words)}`,
  (words) => `ls |& ${plain(words)}`,
  (words) => `ls & ${plain(words)}`,
  (words) => `(${plain(words)})`,
  (words) => `((( ( ${plain(words)} ) )))`.replace("(((", "( ((").replace(")))", ") ) )").replace("((", "( ("),
  (words) => `{ ${plain(words)}; }`,
  (words) => `if ${plain(words)}; then :; fi`,
  (words) => `if true; then ${plain(words)}; fi`,
  (words) => `for i in 1; do ${plain(words)}; done`,
  (words) => `while ${plain(words)}; do break; done`,
  (words) => `until ${plain(words)}; do break; done`,
  (words) => `case x in x) ${plain(words)};; esac`,
  (words) => `f() { ${plain(words)}; }; f`,
  (words) => `function f { ${plain(words)}; }; f`,
  (words) => `echo "$(${plain(words)})"`,
  (words) => `echo \`${plain(words).replace(/[\\`$]/g, "\\$&")}\``,
  (words) => `cat <(${plain(words)})`,
  (words) => `echo "@{x:-$(${plain(words)})}"`.replaceAll("@{", "$" + "{"),
  (words) => `cat <<END\n$(${plain(words)})\nEND`,
  (words) => `bash -c ${quotedOnce(plain(words))}`,
  (words) => `sh -c ${doubleQuoted(plain(words))}`,
  (words) => `bash -ec ${quotedOnce(`true; ${plain(words)}`)}`,
  (words) => `eval ${quotedOnce(plain(words))}`,
  (words) => `eval ${plain(words).replace(/\\\n/g, "").split(" ").map(doubleQuoted).join(" ")}`,
  (words) => `bash <<'END'\n${plain(words)}\nEND`,
  (words) => `bash <<< ${quotedOnce(plain(words))}`,
  (words) => `find . -maxdepth 0 -exec ${simple(words)} \\;`,
  (words) => `echo x | xargs -I@ ${simple(words)}`,
  (words) => `x=$(${plain(words)})`,
  (words) => `[[ -n $(${plain(words)}) ]]`,
  (words) => `echo $((1 + $(${plain(words)} | wc -l)))`,
  (words) => `echo ${quotedOnce(plain(words))} | bash`,
  (words) => `c=${quotedOnce(plain(words))}; eval "$c"`,
  (words) => `p=${words[0]}; $p ${words.slice(1).join(" ")}`,
  (words) => `for c in ${words[0]}; do $c ${words.slice(1).join(" ")}; done`,
  (words) => `for c in ls; do c=${words[0]}; $c ${words.slice(1).join(" ")}; done`,
  (words) => `for c in ${quotedOnce(plain(words))}; do eval "$c"; done`,
  (words) => `i=1; i=${quotedOnce(`a[$(${plain(words)})]`)}; echo $((i))`,
  (words) => `[[ ${quotedOnce(`a[$(${plain(words)})]`)} -eq 1 ]]`,
  (words) => `printf -v ${quotedOnce(`a[$(${plain(words)})]`)} x`,
  (words) => `alias q=${quotedOnce(plain(words))}; q`,
  (words) => `trap ${quotedOnce(plain(words))} EXIT`,
  (words) => `source /dev/stdin <<< ${quotedOnce(plain(words))}`,
  (words) => `${Array.from({ length: 64 }, (_, at) => `echo ${at}`).join("; ")}; ${plain(words)}`,
  (words) => `${"true && ".repeat(80)}${plain(words)}`,
  (words) => `${plain(words)} > /dev/null 2>&1 < /dev/null`,
  (words) => `2> /dev/null ${plain(words)}`,
  (words) => `echo a # comment\n${plain(words)}`,
  (words) => `coproc ${plain(words)}`,
  (words) => `select x in a; do ${plain(words)}; break; done < notes.txt`,
  (words) => words.join(" \\\n  "),
];

type Rule = { pattern: string; program: string; arguments: readonly (readonly string[])[]; allowed: string };

/** Denied commands, in all the ways to write their options, and a command that is allowed beside them. */
export const deniedCommands: readonly Rule[] = [
  {
    pattern: "rm -rf *",
    program: "rm",
    arguments: [
      "-rf V",
      "-fr V",
      "-r -f V",
      "--recursive --force V",
      "-rvf V",
      "-R --force V",
      "-f -v -r V",
      "--recurs --fo V",
      "V -rf",
      "-r V -f",
    ].map((text) => text.split(" ")),
    allowed: "rm V",
  },
  {
    pattern: "git clean *",
    program: "git",
    arguments: [
      "clean -fd",
      "-C . clean -fd",
      "--no-pager clean -fdx",
      "-c a.b=c clean -f",
      "--git-dir=.git clean -f",
    ].map((text) => text.split(" ")),
    allowed: "git fetch",
  },
  { pattern: "curl:*", program: "curl", arguments: [["https://example.com/x"], ["-s", "x"]], allowed: "wget x" },
  {
    pattern: "chmod *",
    program: "chmod",
    arguments: [
      ["600", "V"],
      ["-R", "u+w", "V"],
    ],
    allowed: "touch V",
  },
];

/** A denied command, disguised once or several times over. */
export function disguise({ program, arguments: all }: Rule, random: Random): string {
  const words = [spelled(program, random), ...random.pick(all).map((word) => respelled(word, random))];
  let line = random.pick(shapes)(words, random);
  while (random.chance(0.35) && line.length < 2_000) line = random.pick(shapes)([line], random);
  return line;
}

/** Other spellings of an argument. */
function respelled(word: string, random: Random): string {
  if (word === "V") return random.pick(["victim", "./victim", "'victim'", '"victim"', "vict{im,or}"]);
  return random.pick([word, word, word, `"${word}"`, `'${word}'`, `${word.charAt(0)}""${word.slice(1)}`]);
}
