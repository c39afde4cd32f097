/** Byte order marks at the beginning, of which files that were put together may have several. */
export const marks = /\uFEFF*/y;
export const blanks = /[ \t\r\n]*/y;
/** One token of strict JSON. */
export const token =
  /[{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)\b/y;

/** Where a sticky pattern ends that may begin at `at`; `at` itself when it does not begin there. */
export function skip(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(source) ? pattern.lastIndex : at;
}
