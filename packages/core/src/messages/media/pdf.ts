/** What a PDF holds, as far as its bytes tell without unpacking it. */
type PdfFacts = {
  /** undefined when the page tree lies in a packed stream. */
  pages: number | undefined;
};

const HEADER_BYTES = 1024; // readers look for the mark this far in

/** The facts of a base64 PDF, or undefined when it is none. Never throws. */
export function readPdf(base64: string): PdfFacts | undefined {
  const text = Buffer.from(base64, "base64").toString("latin1");
  if (!text.slice(0, HEADER_BYTES).includes("%PDF-")) return undefined;
  const leaves = text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;
  if (leaves > 0) return { pages: leaves };
  const counts = [...text.matchAll(/\/Type\s*\/Pages[^>]{0,200}\/Count\s+(\d{1,6})/g)].map((match) => Number(match[1]));
  return { pages: counts.length > 0 ? Math.max(...counts) : undefined };
}
