/** The heads of images of a given size: all that is looked at. Base64. */

export function pngOf(width: number, height: number): string {
  const bytes = Buffer.alloc(33);
  bytes.write("\x89PNG\r\n\x1a\n", 0, "latin1");
  bytes.writeUInt32BE(13, 8);
  bytes.write("IHDR", 12, "latin1");
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes.toString("base64");
}

export function gifOf(width: number, height: number): string {
  const bytes = Buffer.alloc(12);
  bytes.write("GIF89a", 0, "latin1");
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes.toString("base64");
}

/** With a segment of metadata before the frame header, as cameras write it. */
export function jpegOf(width: number, height: number): string {
  const metadata = Buffer.alloc(300, 0x20);
  metadata.writeUInt16BE(0xffe1, 0);
  metadata.writeUInt16BE(298, 2);
  const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3]);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), metadata, frame, Buffer.alloc(9)]).toString("base64");
}

export function webpOf(width: number, height: number): string {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF    WEBPVP8X", 0, "latin1");
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes.toString("base64");
}

/** The other two ways a WebP says its size: lossy and lossless. */
export function lossyWebpOf(width: number, height: number): string {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF    WEBPVP8 ", 0, "latin1");
  bytes.writeUInt16LE(width, 26);
  bytes.writeUInt16LE(height, 28);
  return bytes.toString("base64");
}

export function losslessWebpOf(width: number, height: number): string {
  const bytes = Buffer.alloc(30);
  bytes.write("RIFF    WEBPVP8L", 0, "latin1");
  bytes.writeUInt8(0x2f, 20);
  bytes.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 21);
  return bytes.toString("base64");
}
