const HEADER_BYTES = 12;
const ENTRY_BYTES = 40; // before the hash
const TYPE_MASK = 0o170000;
const GITLINK_TYPE = 0o160000;
const LONG_NAME = 0xfff;

/**
 * Paths of the nested repositories that an index names: git looks into them too, with their own configuration. Undefined when
 * the index is not understood, or keeps part of its entries in another file.
 */
export function nestedRepositories(index: Buffer, hashBytes: 20 | 32): string[] | undefined {
  if (index.length < HEADER_BYTES + hashBytes || index.toString("latin1", 0, 4) !== "DIRC") return undefined;
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) return undefined;
  const paths: string[] = [];
  let at = HEADER_BYTES;
  let path: Buffer = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    const entry = readEntry(index, at, { version, hashBytes, before: path });
    if (entry === undefined) return undefined;
    ({ path, end: at } = entry);
    if ((entry.mode & TYPE_MASK) !== GITLINK_TYPE) continue;
    const text = path.toString("utf8");
    if (!Buffer.from(text).equals(path)) return undefined; // a name that cannot be followed from here
    paths.push(text);
  }
  return isSplit(index, at, hashBytes) ? undefined : paths;
}

type Format = { version: number; hashBytes: number; before: Buffer };
type Entry = { mode: number; path: Buffer; end: number };

function readEntry(index: Buffer, start: number, { version, hashBytes, before }: Format): Entry | undefined {
  const flagsAt = start + ENTRY_BYTES + hashBytes;
  if (flagsAt + 4 > index.length) return undefined;
  const mode = index.readUInt32BE(start + 24);
  const flags = index.readUInt16BE(flagsAt);
  let at = flagsAt + ((flags & 0x4000) !== 0 ? 4 : 2);
  let kept: Buffer = Buffer.alloc(0);
  if (version === 4) {
    const removed = readVarint(index, at);
    if (removed === undefined || removed.value > before.length) return undefined;
    kept = before.subarray(0, before.length - removed.value);
    at = removed.end;
  }
  const nameEnd = index.indexOf(0, at);
  if (nameEnd === -1) return undefined;
  const path = Buffer.concat([kept, index.subarray(at, nameEnd)]);
  if ((flags & LONG_NAME) !== Math.min(path.length, LONG_NAME)) return undefined;
  // Entries of the older versions are filled up with at least one NUL to a multiple of 8.
  const end = version === 4 ? nameEnd + 1 : start + 8 * Math.floor((nameEnd - start) / 8 + 1);
  return { mode, path, end };
}

/** Git's offset encoding: seven bits a byte, and one added for each byte that follows. */
function readVarint(index: Buffer, start: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let at = start; at < Math.min(index.length, start + 4); at++) {
    const byte = index[at] ?? 0;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, end: at + 1 };
    value++;
  }
  return undefined;
}

/** Whether an extension says that a shared index holds the rest. */
function isSplit(index: Buffer, start: number, hashBytes: number): boolean {
  for (let at = start; at + 8 <= index.length - hashBytes; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString("latin1", at, at + 4) === "link") return true;
  }
  return false;
}
