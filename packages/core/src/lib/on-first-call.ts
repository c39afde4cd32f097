/**
 * A function of a file that is loaded with its first call: a start pays only for what every turn needs.
 *
 * @example const readPdfFile = onFirstCall(async () => (await import("./read-pdf.ts")).readPdfFile);
 */
export function onFirstCall<Args extends unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
): (...args: Args) => Promise<Result> {
  return async (...args) => (await load())(...args);
}
