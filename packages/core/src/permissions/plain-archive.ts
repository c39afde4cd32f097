import { PawlError } from "../lib/error.ts";
import type { PermissionContext } from "./context.ts";
import { placeOf } from "./place.ts";

/** A tar archive begins with the header of its first member. */
const HEADER_BYTES = 512;
const CHECKSUM = { begin: 148, end: 156 } as const;

/** What a compressed file begins with that a name could begin with too. */
const signs = /^(?:BZh|LZIP|LRZI|GRZip|PK|Rar!)/;

/** How a file begins that is packed as its name says. */
const packed: readonly { name: RegExp; begin: string }[] = [
  { name: /\.(?:tgz|gz)$/, begin: "\x1f\x8b" },
  { name: /\.(?:tbz2?|bz2)$/, begin: "BZh" },
  { name: /\.(?:txz|xz)$/, begin: "\xfd7zXZ\0" },
];

/**
 * Whether listing an archive starts no program but the one that its name tells: nothing is there, or it surely is an archive
 * as it stands or packed as it is called. `tar` looks at a file's first bytes, whatever its name is, and starts `gzip`, `xz`
 * or another one for what is compressed.
 */
export async function isPlainArchive(path: string, context: PermissionContext): Promise<boolean> {
  const { lexical } = await placeOf(path, context);
  try {
    if ((await context.files.stat(lexical)) === undefined) return true;
    const options = { signal: new AbortController().signal, headBytes: HEADER_BYTES };
    const head = await context.files.readHead?.(lexical, options);
    if (head === undefined) return false;
    const begin = head.toString("latin1", 0, 8);
    return isTarHeader(head) || packed.some((each) => each.name.test(path) && begin.startsWith(each.begin));
  } catch (error) {
    if (error instanceof PawlError) return false; // it cannot be looked at
    throw error;
  }
}

/** A member's name, and the sum of the header's bytes where it has to be, its own place counted as blanks. */
function isTarHeader(head: Buffer): boolean {
  if (head.length < HEADER_BYTES || signs.test(head.toString("latin1", 0, 8)) || !/[\w./]/.test(headChar(head)))
    return false;
  const { begin, end } = CHECKSUM;
  const blanks = (end - begin) * 0x20;
  const sum = head.reduce((total, byte, at) => total + (at >= begin && at < end ? 0 : byte), blanks);
  const written = /^\s*([0-7]+)[\s\0]*$/.exec(head.toString("latin1", begin, end))?.[1];
  return written !== undefined && Number.parseInt(written, 8) === sum;
}

const headChar = (head: Buffer): string => String.fromCharCode(head[0] ?? 0);
