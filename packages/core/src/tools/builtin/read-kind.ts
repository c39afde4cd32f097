import { extname } from "node:path";
import { isJpeg } from "../../messages/media/image.ts";

type FileKind = { type: "text" | "image" | "pdf" | "notebook" } | { type: "foreign_image"; name: string };

/** As many first bytes tell what a file is. */
export const KIND_BYTES = 1_024;

/** What a file is, by its first bytes and not by its name: an image may be called anything, and a `.png` may be a text. */
export function kindOf(path: string, head: Buffer): FileKind {
  const ending = extname(path).toLowerCase();
  const start = head.toString("latin1");
  if (ending === ".ipynb") return { type: "notebook" };
  if (isImage(head, start)) return { type: "image" };
  if (start.startsWith("%PDF-") || (ending === ".pdf" && start.includes("%PDF-"))) return { type: "pdf" };
  const foreign = foreignImages.find(({ pattern }) => pattern.test(start));
  return foreign === undefined ? { type: "text" } : { type: "foreign_image", name: foreign.name };
}

function isImage(head: Buffer, start: string): boolean {
  if (start.startsWith("\x89PNG\r\n\x1a\n") || /^GIF8[79]a/.test(start)) return true;
  return isJpeg(head) || (start.startsWith("RIFF") && start.slice(8, 12) === "WEBP");
}

/** Images that the API does not take. */
const foreignImages: readonly { name: string; pattern: RegExp }[] = [
  { name: "BMP", pattern: /^BM.{4}\0\0\0\0/s },
  { name: "TIFF", pattern: /^(II\*\0|MM\0\*)/ },
  { name: "ICO", pattern: /^\0\0\x01\0[^\0]/ },
  { name: "HEIC or AVIF", pattern: /^.{4}ftyp(hei[cs]|mif1|avif|avis)/s },
];
