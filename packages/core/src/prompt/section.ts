/** One part of the default system prompt. Pure: the same tools give the same text, so that the prompt's prefix is stable. */
export type Section = (tools: ReadonlySet<string>) => string;

/** The lines whose tools are all there, as a list. */
export function bullets(
  tools: ReadonlySet<string>,
  lines: readonly (string | { needs: readonly string[]; text: string })[],
): string {
  return lines
    .filter((line) => typeof line === "string" || line.needs.every((tool) => tools.has(tool)))
    .map((line) => `- ${typeof line === "string" ? line : line.text}`)
    .join("\n");
}
