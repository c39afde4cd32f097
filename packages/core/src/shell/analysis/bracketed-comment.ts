/** A quoted text in which no command can stand. */
const plainQuotes = /\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*"|\\./sy;
const opening = /\(\s*#/;
const openingHere = /\(\s*#/y;

/**
 * Whether an unquoted bracket is followed by `#`: the grammar takes what comes then for a comment, to zsh it may be a
 * pattern with code in it. Rather yes than no where quotes lie in each other.
 */
export function hasBracketedComment(source: string): boolean {
  if (!opening.test(source)) return false;
  if (source.includes("<<")) return true;
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at);
    openingHere.lastIndex = at;
    if (openingHere.test(source)) return true;
    if (char === "#" && /^$|\s/.test(source.charAt(at - 1))) {
      const end = source.indexOf("\n", at);
      if (end === -1) return false;
      at = end;
    } else if (/['"\\$]/.test(char)) {
      plainQuotes.lastIndex = at;
      const quoted = plainQuotes.exec(source)?.[0];
      if (quoted !== undefined) at += quoted.length - 1;
      else if (char !== "$") return opening.test(source.slice(at));
    }
  }
  return false;
}
