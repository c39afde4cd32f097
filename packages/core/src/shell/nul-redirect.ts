/** Quoted text, an escaped character, or a redirection to the null device of Windows. */
const TOKEN = /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|((?:\d*|&)>>?\|?[ \t]*)nul(?=$|[\s;&|)])/gis;

/**
 * A POSIX shell would make a file of the name, which Windows cannot delete any more: such a redirection goes to `/dev/null`
 * instead. Text whose grammar it does not see through, such as here-documents, stays as it is.
 */
export function withoutNulRedirects(command: string): string {
  if (!/>[ \t]*nul\b/i.test(command) || command.includes("<<") || command.includes("[[")) return command;
  return command.replace(TOKEN, (whole, redirection: string | undefined) =>
    redirection === undefined ? whole : `${redirection}/dev/null`,
  );
}
