const ESCAPE = /\\([0-7]{3}|[\s\S])/g;
const named: Readonly<Record<string, string>> = { a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/**
 * A name as git writes it: in quotes and with escapes where it has a control character, a quote or, by default, anything
 * that is not ASCII, whose UTF-8 bytes stand there in octal. Any other name stays as it is.
 */
export function unquoted(name: string): string {
  const [, inner] = /^"(.*)"$/.exec(name) ?? [];
  if (inner === undefined) return name;
  const bytes = Buffer.from(inner, "utf8")
    .toString("latin1")
    .replace(ESCAPE, (_, code: string) => {
      return code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8) & 0xff) : (named[code] ?? code);
    });
  return Buffer.from(bytes, "latin1").toString("utf8");
}
