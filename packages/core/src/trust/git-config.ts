/** A larger file is not read. Bytes. */
export const MAX_CONFIG_BYTES = 1024 * 1024;

/** One entry of a git configuration file; section and variable in lower case, as in `diff.PDF.textconv`. */
export type GitConfigEntry = { readonly key: string; readonly value: string };

/** With the file that it stands in. */
export type PlacedEntry = { place: string; value: GitConfigEntry };

/**
 * Reads a git configuration file as git does: `[section "Sub"]`, `[section.sub]`, entries behind a heading on its line,
 * continued lines, quotes, comments. Undefined when it is none, which git would refuse too.
 */
export function parseGitConfig(text: string): GitConfigEntry[] | undefined {
  const source = text.replace(/^\uFEFF/, "").replace(/\r\n/g, "\n");
  const entries: GitConfigEntry[] = [];
  let section: string | undefined;
  for (let at = 0; at < source.length; ) {
    const blank = match(/(?:[\s\0]|[#;][^\n]*)+/y, source, at);
    if (blank !== undefined) {
      at += blank[0].length;
      continue;
    }
    const heading = match(/\[\s*([-.\w]+)(?:[ \t]+"((?:[^"\\\n]|\\.)*)")?\s*\]/y, source, at);
    if (heading !== undefined) {
      section = sectionName(heading[1] ?? "", heading[2]);
      at += heading[0].length;
      continue;
    }
    const entry = match(
      /([A-Za-z][-\w]*)[ \t]*(=((?:"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|#[^\n]*|;[^\n]*|[^"\\#;\n])*))?(?=\n|$|[#;])/y,
      source,
      at,
    );
    if (entry === undefined || section === undefined) return undefined;
    const value = entry[2] === undefined ? "true" : plainValue(entry[3] ?? "");
    entries.push({ key: `${section}.${(entry[1] ?? "").toLowerCase()}`, value });
    at += entry[0].length;
  }
  return entries;
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(source) ?? undefined;
}

/** The old form `[section.Sub]` has its second part in lower case. */
function sectionName(name: string, quoted: string | undefined): string {
  return quoted === undefined ? name.toLowerCase() : `${name.toLowerCase()}.${quoted.replace(/\\(.)/g, "$1")}`;
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** Without quotes, comments and the space around; what a backslash stands before is taken for what it means. */
function plainValue(raw: string): string {
  let value = "";
  let kept = 0; // characters that are not trailing space
  for (const [part] of raw.trimStart().matchAll(/"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[#;][^\n]*|[^"\\#;]/g)) {
    if (/^[#;]/.test(part)) break;
    value += part.startsWith('"')
      ? part.slice(1, -1).replace(/\\([\s\S])/g, unescaped)
      : part.replace(/^\\([\s\S])/, unescaped);
    if (!/^\s$/.test(part)) kept = value.length;
  }
  return value.slice(0, kept);
}

const unescaped = (_: string, char: string) => escapes[char] ?? char;
