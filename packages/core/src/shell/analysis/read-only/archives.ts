import { isKnown, isOption, mayBecomeOption, type ShellWord } from "../shell-word.ts";
import { operandsOf } from "./options.ts";

const listingMode = /^-?(?=[^t]*t[^t]*$)[tv]*[zjJ]?[tv]*f$/;
const tarName = /^[^:]*\.(?:tar|tgz|tbz2?|txz|tar\.(?:gz|bz2|xz))$/;

const endings: Readonly<Record<string, RegExp>> = { z: /gz$/, j: /bz2?$/, J: /xz$/ };

/** The archive that a `tar` lists; the mode, if it says with what it is packed, says what the name says. */
export function tarLists([mode, archive, ...members]: readonly ShellWord[]): ShellWord | undefined {
  if (mode === undefined || archive === undefined || !isKnown(mode) || !listingMode.test(mode.value)) return undefined;
  if (!isKnown(archive) || !tarName.test(archive.value)) return undefined;
  const packer = /[zjJ]/.exec(mode.value)?.[0];
  if (packer !== undefined && endings[packer]?.test(archive.value) !== true) return undefined;
  return members.some((word) => isOption(word) || mayBecomeOption(word)) ? undefined : archive;
}

/** With another name they look for the file with their own ending behind it. */
const packedName = /\.(?:gz|tgz|[zZ]|bz2|tbz2?|xz|txz|lzma)$/;

/** The files that are unpacked to the output, listed or tested, and left as they are. */
export function unpackerReads(program: string, args: readonly ShellWord[]): ShellWord[] | undefined {
  const isBzip = program.startsWith("b");
  const operands = operandsOf(args, {
    flags: isBzip ? "cdtvqk" : "cdltvqk",
    long: `stdout decompress test verbose quiet keep${isBzip ? "" : " list"}`,
    takesPatterns: true,
  });
  const has = (option: RegExp) => args.some(({ value }) => option.test(value));
  // To some of them the last of these counts: `-t -d` unpacks in place.
  const onlyLooks = has(/^-[a-z]*[lt]|^--(?:list|test)$/) && !has(/^-[a-z]*d|^--d/);
  const leavesFiles = program.endsWith("cat") || has(/^-[a-z]*c|^--stdout$/) || onlyLooks;
  return leavesFiles && operands?.every(({ value }) => packedName.test(value)) === true ? operands : undefined;
}

/** The archive that `unzip` lists or tests; to it a pattern means other archives. */
export function unzipLists([mode, archive, ...more]: readonly ShellWord[]): ShellWord[] | undefined {
  if (mode === undefined || !/^-(?:[lvt]|Z1?)$/.test(mode.value)) return undefined;
  return archive !== undefined && more.length === 0 && isOneArchive(archive) ? [archive] : undefined;
}

/** The archive that `zipinfo` lists. */
export function zipinfoLists(args: readonly ShellWord[]): ShellWord[] | undefined {
  const [archive, ...more] = args.filter(({ value }) => !/^-[12slmhtv]$/.test(value));
  return archive !== undefined && more.length === 0 && isOneArchive(archive) ? [archive] : undefined;
}

const isOneArchive = (word: ShellWord): boolean =>
  !isOption(word) && !mayBecomeOption(word) && word.globAt === undefined && !/[*?[\\]/.test(word.value);
