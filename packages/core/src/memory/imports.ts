/** Fenced blocks, also one that never ends, and code spans: what stands in them is shown, not meant. */
const code = /^ {0,3}(`{3,}|~{3,})[^\n]*\n(?:[\s\S]*?^ {0,3}\1[`~]*[ \t]*$|[\s\S]*)|(`+)(?!`)[\s\S]*?[^`]\2(?!`)/gm;
const mention = /(?<=^|[\s(])@((?:[^\s\\]|\\ )+)/g;

/** The paths that instructions import as `@path`, in their order, each once; a blank in one has a backslash before it. */
export function importsIn(text: string): string[] {
  const paths = [...text.replace(code, " ").matchAll(mention)].map(([, path = ""]) =>
    path.replaceAll("\\ ", " ").replace(/[),.;:!?]+$/, ""),
  );
  return [...new Set(paths)].filter((path) => path !== "");
}
