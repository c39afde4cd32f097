/** What an image really is, from its first bytes. */
export type ImageFacts = { mediaType: string; width: number; height: number };

const SNIFF_CHARS = 64; // of base64: 48 bytes, enough for every header but JPEG's

/** The facts of a base64 image, or undefined when it is none that the API takes, or its header is broken. Never throws. */
export function readImage(base64: string): ImageFacts | undefined {
  const head = Buffer.from(base64.slice(0, SNIFF_CHARS), "base64");
  return readImageBytes(isJpeg(head) ? Buffer.from(base64, "base64") : head);
}

/** The same of the bytes themselves. The first 48 are enough for every kind but JPEG. */
export function readImageBytes(bytes: Buffer): ImageFacts | undefined {
  const found = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? (isJpeg(bytes) ? readJpeg(bytes) : undefined);
  return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
}

function readPng(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 24 || bytes.toString("latin1", 0, 8) !== "\x89PNG\r\n\x1a\n") return undefined;
  if (bytes.toString("latin1", 12, 16) !== "IHDR") return undefined;
  return { mediaType: "image/png", width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function readGif(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(bytes.toString("latin1", 0, 6))) return undefined;
  return { mediaType: "image/gif", width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function readWebp(bytes: Buffer): ImageFacts | undefined {
  if (bytes.length < 30 || bytes.toString("latin1", 0, 4) !== "RIFF") return undefined;
  if (bytes.toString("latin1", 8, 12) !== "WEBP") return undefined;
  const size = webpSize(bytes);
  return size === undefined ? undefined : { mediaType: "image/webp", ...size };
}

function webpSize(bytes: Buffer): { width: number; height: number } | undefined {
  switch (bytes.toString("latin1", 12, 16)) {
    case "VP8X":
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    case "VP8L": {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case "VP8 ":
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    default:
      return undefined;
  }
}

export const isJpeg = (bytes: Buffer): boolean => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff;

/** Walks the segments to the frame header, which holds the size. */
function readJpeg(bytes: Buffer): ImageFacts | undefined {
  let at = 2;
  while (at + 9 <= bytes.length) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (marker === 0xff) {
      at += 1; // a fill byte
    } else if (isFrameHeader(marker)) {
      return { mediaType: "image/jpeg", height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    } else {
      at += isStandAlone(marker) ? 2 : 2 + bytes.readUInt16BE(at + 2);
    }
  }
  return undefined;
}

// C4, C8 and CC lie among the frame headers but are tables.
const isFrameHeader = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

const isStandAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8);
