/**
 * How the bytes of an encoding fall into characters, and how likely each kind of character is in ordinary text. The numbers
 * are rough shares of a text divided by how many characters share them; only their ratios between encodings matter.
 */
type CharacterAt = { bytes: number; likelihood: number };

/** The character that begins at `at`; undefined when no character of the encoding does. The byte there is not ASCII. */
export type ReadCharacter = (bytes: Uint8Array, at: number) => CharacterAt | undefined;

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to;

const byteAt = (bytes: Uint8Array, at: number) => bytes[at] ?? 0;

const two = (likelihood: number): CharacterAt => ({ bytes: 2, likelihood });

/** The rows 0xB0 and up hold the common ideographs, then the rarer ones. */
export const gbk: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const trail = byteAt(bytes, at + 1);
  if (!within(lead, 0x81, 0xfe)) return undefined;
  if (within(trail, 0x30, 0x39) && within(byteAt(bytes, at + 2), 0x81, 0xfe)) {
    return within(byteAt(bytes, at + 3), 0x30, 0x39) ? { bytes: 4, likelihood: 1e-9 } : undefined;
  }
  if (!within(trail, 0x40, 0xfe) || trail === 0x7f) return undefined;
  if (trail < 0xa1) return two(0.001 / 15_000);
  if (within(lead, 0xb0, 0xd7)) return two(0.2 / 3_755);
  if (within(lead, 0xa1, 0xa3)) return two(0.05 / 300);
  return two(within(lead, 0xd8, 0xf7) ? 0.01 / 3_008 : 0.001 / 15_000);
};

export const big5: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const trail = byteAt(bytes, at + 1);
  if (!within(lead, 0x81, 0xfe) || !(within(trail, 0x40, 0x7e) || within(trail, 0xa1, 0xfe))) return undefined;
  if (within(lead, 0xa4, 0xc6)) return two(0.2 / 5_401);
  if (within(lead, 0xa1, 0xa3)) return two(0.05 / 408);
  return two(within(lead, 0xc9, 0xf9) ? 0.01 / 7_652 : 0.0005 / 5_000);
};

export const eucKr: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const trail = byteAt(bytes, at + 1);
  const isTrail = within(trail, 0x41, 0x5a) || within(trail, 0x61, 0x7a) || within(trail, 0x81, 0xfe);
  if (!within(lead, 0x81, 0xfe) || !isTrail) return undefined;
  if (trail < 0xa1 || lead < 0xa1) return two(0.002 / 8_822);
  if (within(lead, 0xb0, 0xc8)) return two(0.2 / 2_350);
  return two(within(lead, 0xa1, 0xa3) ? 0.05 / 300 : 0.005 / 4_888);
};

export const shiftJis: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const trail = byteAt(bytes, at + 1);
  if (within(lead, 0xa1, 0xdf)) return { bytes: 1, likelihood: 0.005 / 63 };
  if (!within(lead, 0x81, 0x9f) && !within(lead, 0xe0, 0xfc)) return undefined;
  if (!within(trail, 0x40, 0xfc) || trail === 0x7f) return undefined;
  if (lead === 0x82 && trail >= 0x9f) return two(0.2 / 83);
  if (lead === 0x83 && trail <= 0x96) return two(0.1 / 86);
  if (lead === 0x81) return two(0.05 / 108);
  if (within(lead, 0x88, 0x97)) return two(0.15 / 2_965);
  return two(within(lead, 0x98, 0xea) ? 0.005 / 3_390 : 0.0005 / 2_000);
};

export const eucJp: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const trail = byteAt(bytes, at + 1);
  if (lead === 0x8e && within(trail, 0xa1, 0xdf)) return two(0.001 / 63);
  const isThree = lead === 0x8f && within(trail, 0xa1, 0xfe) && within(byteAt(bytes, at + 2), 0xa1, 0xfe);
  if (isThree) return { bytes: 3, likelihood: 1e-9 };
  if (!within(lead, 0xa1, 0xfe) || !within(trail, 0xa1, 0xfe)) return undefined;
  if (lead === 0xa4) return two(0.2 / 83);
  if (lead === 0xa5) return two(0.1 / 86);
  if (lead === 0xa1) return two(0.05 / 94);
  if (within(lead, 0xb0, 0xcf)) return two(0.15 / 2_965);
  return two(within(lead, 0xd0, 0xf4) ? 0.005 / 3_390 : 0.0005 / 2_000);
};

const one = (likelihood: number): CharacterAt => ({ bytes: 1, likelihood });

const isAlone = (bytes: Uint8Array, at: number) => byteAt(bytes, at - 1) < 0x80 && byteAt(bytes, at + 1) < 0x80;

const touchesPlainLetter = (bytes: Uint8Array, at: number) =>
  isPlainLetter(byteAt(bytes, at - 1)) || isPlainLetter(byteAt(bytes, at + 1));

const isPlainLetter = (byte: number) => within(byte | 0x20, 0x61, 0x7a);

/** Letters with accents stand between plain ones. */
export const windows1252: ReadCharacter = (bytes, at) => {
  const likelihood = byteAt(bytes, at) >= 0xc0 ? 0.08 / 64 : 0.01 / 32;
  return one(isAlone(bytes, at) ? likelihood : likelihood / 5);
};

export const windows1251: ReadCharacter = (bytes, at) => one(cyrillic(bytes, at, 0xe0, 0xc0));

export const koi8: ReadCharacter = (bytes, at) => one(cyrillic(bytes, at, 0xc0, 0xe0));

/** Whole words are of these letters. */
function cyrillic(bytes: Uint8Array, at: number, small: number, capital: number): number {
  if (isAlone(bytes, at)) return touchesPlainLetter(bytes, at) ? 0.0001 / 64 : 0.002 / 64;
  if (within(byteAt(bytes, at), small, small + 31)) return 0.34 / 32;
  return within(byteAt(bytes, at), capital, capital + 31) ? 0.05 / 32 : 0.005 / 64;
}

export const utf8: ReadCharacter = (bytes, at) => {
  const lead = byteAt(bytes, at);
  const length = within(lead, 0xc2, 0xdf) ? 2 : within(lead, 0xe0, 0xef) ? 3 : within(lead, 0xf0, 0xf4) ? 4 : 0;
  const character = bytes.subarray(at, at + length);
  if (length === 0 || !isUtf8(character)) return undefined;
  return { bytes: length, likelihood: 0.2 / 3_000 };
};

const strict = new TextDecoder("utf-8", { fatal: true });

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strict.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
