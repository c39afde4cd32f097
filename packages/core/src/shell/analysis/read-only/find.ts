import type { ShellWord } from "../shell-word.ts";
import { isKnown } from "../shell-word.ts";

/** Tests and actions that only look, without and with a value. */
const alone: ReadonlySet<string> = new Set(
  (
    "-H -P -d -depth -mount -xdev -noleaf -daystart -empty -executable -readable -writable -nouser -nogroup -true -false " +
    "-print -print0 -ls -prune -quit ! -not -a -and -o -or , ( )"
  ).split(" "),
);
const valued: ReadonlySet<string> = new Set(
  (
    "-maxdepth -mindepth -name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size " +
    "-mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -perm -user -group -uid -gid -links -inum -used -fstype " +
    "-printf"
  ).split(" "),
);

/** The folders that a `find` walks and the files that it compares with, when it only looks; its `-exec` is judged apart. */
export function findReads(args: readonly ShellWord[]): ShellWord[] | undefined {
  const reads: ShellWord[] = [];
  let isExpression = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined || !isKnown(word)) return undefined;
    const { value } = word;
    if (/^-exec(?:dir)?$/.test(value)) {
      at = args.findIndex((each, index) => index > at && /^[;+]$/.test(each.value));
      if (at === -1) return undefined;
    } else if (alone.has(value)) isExpression = !/^-[HP]$/.test(value);
    else if (valued.has(value)) {
      const argument = args[++at];
      if (argument === undefined || !isKnown(argument)) return undefined;
      if (value.endsWith("newer")) reads.push(argument);
      isExpression = true;
    } else if (isExpression || /^[-(!,]/.test(value)) return undefined;
    else reads.push(word);
  }
  return reads;
}
