import type { Random } from "./random.ts";

const files =
  "notes.txt src/index.ts src/lib/add.ts README.md data.csv package.json docs/guide.md logs/app.log missing.txt".split(
    " ",
  );
const folders = ". src src/lib docs logs test ./src".split(" ");
const patterns = "TODO add one INFO import 'a b' \"x y\" 't.o' $HOME".split(" ");

/** `F` a file, `D` a folder, `P` a pattern, `N` a number, `O` a new file, `@{` an expansion; the rest stands for itself. */
const templates: Readonly<Record<string, string>> = {
  ls: "-la D|-1 F|-R D|--color=never D|*.md|src/*.ts|D D",
  cat: 'F|-n F|F F|src/lib/*.ts|- < F|F > O|"F"',
  head: "-n N F|-N F|-c N F|F",
  tail: "-n N F|-N F|F|+N F",
  wc: "-l F|-w F F|F|-l src/lib/*.ts|--files0-from=F",
  nl: "F|-ba F",
  tac: "F|F F",
  rev: "F",
  stat: "F|-c %s F",
  file: "F|-b F|-f F|-C -m F|--mime-type F|*|-v",
  du: "-sh D|-a D|D",
  df: "-h|.",
  tree: "-L N D|D|-o O D|-a",
  find: "D -name P|D -type f|D -type f -name '*.ts' -exec grep -l P {} +|D -delete|D -type f -exec rm {} \\;|D -fprint O|D -maxdepth N -print0|D -newer F|D -name '*.ts' -exec wc -l {} +|D -exec grep -l P {} +|D -exec ls {} +|D -type f -exec sh -c 'cat F' \\;|D -name '*.tmp' -exec cp {} O \\;",
  grep: "-n P F|-rn P D|-c P F|-E P F|-R P D|-l P F F|-f F F|P src/lib/*.ts",
  rg: "-n P D|P|-l P D|--files D|--pre cat P D|-z P|-L P D",
  git: "status|status --short|log --oneline -n N|log -p -N|diff|diff --stat|diff HEAD|diff --output=O|show HEAD|branch|branch -a|branch new-branch|branch --list 'n*'|tag|tag v1|remote -v|stash list|stash|ls-files|ls-files D|rev-parse HEAD|blame F|grep -n P|grep -Ocat P|config user.name|config user.name x|describe --always|checkout -b x|add F|commit -m P|-c core.pager=cat log|log --format=%H|shortlog -sn HEAD|cat-file -p HEAD|show HEAD:F|clean -fd|reset --hard|reflog|reflog -N|reflog expire --all|-C D log -N|-C D status|-C .. log|-C D add F|--help|help log|count-objects|worktree list|show-ref|for-each-ref|whatchanged -N",
  sed: "-n 1,Np F|s/one/two/ F|-i s/one/two/ F|'s/one/two/w O' F|-n '1e touch O' F|-e p -e d F|--in-place p F|'/TODO/d' F|-ni p F|y/a/b/ F",
  awk: "'{print $1}' F|-F, '{print $2}' F|'BEGIN{system(\"touch O\")}'|'{print > \"O\"}' F|'NR>1' F|'{print | \"cat\"}' F|-f F F|'/a/ {print NR}' F|'NR>1 {a[$1]++} END {for (k in a) print k, a[k]}' F|'{ if ($1 > N) print \"x\" }' F|'{ if ($1 > N) print > \"O\" }' F|'END { for (; x < 1; x++) print x > \"O\" }' F",
  sort: "F|-u F|-o O F|-t, -k2 F|-r F|--output=O F|--compress-program=cat F|*.md",
  uniq: "F|-c F|F O|-d F",
  cut: "-d, -f1 F|-c1-N F",
  tr: "a-z A-Z < F|-d a < F",
  paste: "F F|-s F",
  join: "F F",
  comm: "F F|-12 F F",
  diff: "F F|-u F F|-r D D|-rq D D|--recursive D D|-l F F|-q F F",
  cmp: "F F|-s F F",
  fold: "-w N F",
  column: "-t F",
  expand: "F",
  od: "-c F|F",
  xxd: "F|-l N F|F O|-r F",
  hexdump: "-C F",
  strings: "F|-n N F",
  base64: "F|-d F|-w0 F",
  md5sum: "F|F F",
  sha256sum: "F",
  cksum: "F",
  basename: "F|F .ts|-a F F",
  dirname: "F",
  realpath: "F|D",
  readlink: "-f F",
  pwd: "|-P",
  echo: 'P|"$HOME"|-n P|\'$(touch O)\'|`pwd`|$(wc -l < F)|P > O|P >> F|$((N + 1))|{a,b}|@{HOME:-x}|"@{x:=y}"|<(cat F)|P 2> /dev/null',
  printf: "'%s\\n' P|%d N|'%s' \"$(cat F)\"|-v x %s P",
  seq: "N|1 N",
  true: "",
  false: "",
  test: "-f F|-d D|N -gt 1|-v 'a[$(touch O)]'",
  "[": "-f F ]|-n P ]|N -eq N ]",
  date: "|+%Y|-u|-s 2020-01-01|+%s -d yesterday|-r F",
  whoami: "",
  id: "|-u",
  uname: "-a|-r",
  hostname: "",
  nproc: "",
  env: "|A=N pwd|LD_PRELOAD=./x ls|NO_COLOR=1 ls D|-i pwd",
  printenv: "HOME|",
  sleep: "0",
  which: "ls|node",
  expr: "N + N",
  jq: ". package.json|-r .name package.json",
  tar: "-tf archive.tar|-xf archive.tar|-cf O D|-tf archive.tar --to-command=cat|tf archive.tar|-tzf archive.tar|tf packed.tar|-tvf packed.tar|tf packed.tgz|-tzf packed.tgz|-tzvf packed.tar.gz|-xzf packed.tgz|-tJf packed.tgz|-tzf missing.tgz",
  timeout: "5 cat F|5 touch O|-k 1 5 wc -l F",
  nice: "-n 5 cat F|rm F",
  command: "-v ls|ls D|rm F",
  xargs: "cat|rm|-n1 echo",
  bash: "-c 'cat F | wc -l'|-c 'touch O'|-c \"ls D\"|F",
  sh: "-c 'cat F'|-c 'rm -rf D'",
  eval: "'cat F'|\"touch O\"",
  touch: "O",
  mkdir: "-p O",
  rm: "F|-rf D|-f O",
  cp: "F O|-r D O",
  mv: "F O",
  ln: "-s F O",
  tee: "O|-a F|/dev/null|/dev/null O",
  dd: "if=F of=O",
  truncate: "-s 0 F",
  chmod: "600 F",
  install: "F O",
  split: "F",
  shuf: "F|-n N F|-o O F",
  cd: "D|D && touch O|D && pwd",
  read: "-r line|x",
  set: "-e|-- a b",
  egrep: "P F|-n 'a|b' F",
  fgrep: "-x P F",
  zcat: "packed.tgz|F",
  gunzip: "-c packed.tgz|packed.tgz|-k packed.tgz",
  gzip: "-l packed.tgz|-dc packed.tgz|-t packed.tgz|-k F|-d packed.tgz|F",
  xz: "-l packed.xz|-t -d packed.xz|-l -d packed.xz|-dc packed.xz|-k F",
  xzcat: "packed.xz",
  bzcat: "packed.bz2",
  bzip2: "-t packed.bz2|-t -d packed.bz2|-dc packed.bz2|-k F",
  unzip: "-l packed.zip|-Z1 packed.zip|packed.zip|-o packed.zip",
  zipinfo: "packed.zip|-1 packed.zip",
  ps: "aux|-ef|aux --sort=-%mem|-eo pid,ppid,cmd|-o pid= -p N|-C node|axe",
  pidof: "node|-s node",
  ss: "-ltn|-tulpn|-K state closed|-D O|-tln sport = :80",
  netstat: "-tln|-rn|-anp",
  lsof: "-nP -i :3000|-nP -iTCP:N -sTCP:LISTEN|-n -p N",
  ip: "addr|-br a|route show|link add x type dummy",
  mount: "|-t ext4",
  findmnt: "-l",
  lsblk: "|-f|-o NAME",
  w: "|-h",
  who: "|-b",
  vmstat: "|-s",
  dmesg: "-T|-k",
  getent: "passwd root|group",
  stty: "-a|sane",
  tput: "cols|clear",
  ulimit: "-a|-n|-Sn|-c 0",
  alias: "|ls=rm",
  hash: "|-r",
  history: "|-c",
  declare: "-p PATH|x=1",
  iconv: "-f latin1 -t utf-8 F|-l|-o O F",
  dpkg: "-l bash|-s bash",
  "dpkg-query": "-W bash|-L bash",
  nm: "/bin/ls|F|-D F",
  readelf: "-h F|-S F",
  size: "F",
  objdump: "-h F|-d F",
  namei: "-l F",
  lsattr: "F",
  npm: "-v|--version|ls|run build",
  curl: "--version|-V|-o O file:///etc/hostname",
  openssl: "version|rand -out O N",
  ssh: "-V",
  sqlite3: "--version|O 'create table x(y)'",
  docker: "--version",
  gcc: "--version|-v|F",
  make: "--version|-v",
  export: "name=P|PATH=.",
  perl: "-v|-e 'unlink \"F\"'|-ne print F",
  node: "--version|-e 'process.exit()'",
  python3: '--version|-c \'open("O","w")\'',
  unknownprogram: "F",
};

export const generatedPrograms: readonly string[] = Object.keys(templates);

type GeneratedCommand = { line: string; isComposed: boolean };

export function generateCommand(random: Random): GeneratedCommand {
  if (!random.chance(0.5)) return { line: simple(random), isComposed: false };
  return { line: composed(random, 2), isComposed: true };
}

function simple(random: Random): string {
  const program = random.pick(generatedPrograms);
  const template = random.pick((templates[program] ?? "").split("|"));
  const written = random.chance(0.03) ? disguised(program, random) : program;
  return `${written} ${filled(template, random)}`.trim();
}

/** Other ways to write the name of a program. */
function disguised(program: string, random: Random): string {
  const first = program.charAt(0);
  return random.pick([`'${program}'`, `"${program}"`, `\\${program}`, `${first}''${program.slice(1)}`]);
}

const filled = (template: string, random: Random): string =>
  template.replaceAll("@{", "$" + "{").replace(/(?<![A-Za-z])[FDPNO](?![A-Za-z])/g, (kind) => {
    if (kind === "F") return random.pick(files);
    if (kind === "D") return random.pick(folders);
    if (kind === "P") return random.pick(patterns);
    return kind === "N" ? String(1 + random.below(9)) : `out${random.below(9)}.txt`;
  });

function composed(random: Random, depth: number): string {
  const part = () => (depth > 0 && random.chance(0.3) ? composed(random, depth - 1) : simple(random));
  const shapes: (() => string)[] = [
    () => `${part()} && ${part()}`,
    () => `${part()} || ${part()}`,
    () => `${part()}; ${part()}`,
    () => `${part()} | ${part()}`,
    () => `${part()} | ${simple(random)} | ${simple(random)}`,
    () => `(${part()})`,
    () => `{ ${part()}; }`,
    () => `if ${part()}; then ${part()}; else ${part()}; fi`,
    () =>
      `for f in ${random.pick(files)} ${random.pick(files)}; do ${random.pick(["cat", "wc -l", "rm", "grep -n a"])} "$f"; done`,
    () => `for i in 1 2; do ${part()}; done`,
    () => `while read -r line; do ${simple(random)}; break; done < ${random.pick(files)}`,
    () => `echo "$(${part()})"`,
    () => `cat <(${part()})`,
    () => `! ${simple(random)}`,
    () => `time ${simple(random)}`,
    () => `${part()} 2> /dev/null`,
    () => `${part()} > ${random.pick(["/dev/null", "out1.txt"])} 2>&1`,
    () => `${simple(random)}\n${simple(random)}`,
    () => `case a in a) ${part()};; *) ${part()};; esac`,
    () => `${simple(random)} <<'END'\ntext $(touch out1.txt)\nEND`,
    () => `cat <<END\n$(${simple(random)})\nEND`,
    () => `x=$(${simple(random)}); echo "$x"`,
    () => `f() { ${part()}; }; f`,
    () => `cd ${random.pick(folders)} && ${part()}`,
    () => `find . -type f -print0 | xargs -0 ${random.pick(["cat", "rm", "grep -l a", "wc -l"])}`,
    () =>
      `find ${random.pick(folders)} -name '*.ts' -print0 | xargs -0 ${random.pick(["wc -l", "rm", "head -1", "sed -i p"])}`,
  ];
  return random.pick(shapes)();
}
