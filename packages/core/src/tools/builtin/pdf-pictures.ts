import { basename, dirname, join } from "node:path";
import { fitImage } from "../../messages/media/fit-image.ts";
import type { ContentBlock } from "../../messages/message.ts";
import type { ToolContext } from "../tool.ts";
import type { PageRange } from "./pdf-pages.ts";
import { imageBlock } from "./read-image.ts";

const MAX_RENDER_MS = 60_000;
/** Of the longer side of a page. */
const PAGE_PIXELS = 1_568;
const MAX_PAGE_BYTES = 32 * 1024 * 1024;
const MAX_COMPLAINT_BYTES = 4_096;
const MAX_FOLDER_ENTRIES = 10_000;

/** Pictures by their page; `problem` says why pages are missing. */
export type PagePictures = { pictures: ReadonlyMap<number, ContentBlock>; problem?: string };

/** Renders pages beside the stored text at `textPath`, where they stay, with pdftoppm. */
export async function pagePictures(
  pdfPath: string,
  { first, last }: PageRange,
  textPath: string,
  { shell, signal, files }: ToolContext,
): Promise<PagePictures> {
  const folder = dirname(textPath);
  const root = join(folder, basename(textPath, ".txt"));
  const pages = ["-f", String(first), "-l", String(last)];
  const { failure, timedOut, exitCode, stderr } = await shell.exec({
    file: "pdftoppm",
    args: ["-jpeg", "-scale-to", String(PAGE_PIXELS), ...pages, pdfPath, root],
    cwd: folder,
    timeoutMs: MAX_RENDER_MS,
    signal,
    maxOutputBytes: MAX_COMPLAINT_BYTES,
  });
  if (failure !== undefined) return { pictures: new Map(), problem: NO_RENDERER };
  const pictures = new Map<number, ContentBlock>();
  for (const { name } of (await files.list?.(folder, MAX_FOLDER_ENTRIES)) ?? []) {
    const page = pageOf(name, basename(root));
    if (page === undefined || page < first || page > last) continue;
    const { bytes } = await files.readBytes(join(folder, name), { signal, maxBytes: MAX_PAGE_BYTES });
    const fitted = await fitImage(bytes, { signal });
    if (fitted.type === "fits") {
      pictures.set(page, imageBlock(fitted.facts.mediaType, fitted.bytes.toString("base64")));
    }
  }
  if (pictures.size > last - first) return { pictures };
  const [complaint = ""] = stderr.trim().split("\n");
  const why = timedOut ? `it took over ${MAX_RENDER_MS / 1000} s` : complaint || `it ended with ${exitCode}`;
  return { pictures, problem: `Not all pages could be rendered by pdftoppm: ${why}.` };
}

const NO_RENDERER =
  "Pages come without pictures: pdftoppm, of the package poppler-utils, is not installed or cannot be started.";

function pageOf(name: string, root: string): number | undefined {
  const digits = name.startsWith(`${root}-`) ? /^(\d+)\.jpg$/.exec(name.slice(root.length + 1))?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
