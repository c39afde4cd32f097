import { isAbsolute, relative } from "node:path";
import { shownLines, withUnseenShown } from "./shown-text.ts";

type Input = Readonly<Record<string, unknown>>;

/** What a call would do, in lines that are safe to show: the command, or the file and what changes in it, or the input. */
export function callLines(input: Input, cwd: string): string[] {
  const { command, file_path: file, notebook_path: notebook } = input;
  if (typeof command === "string") return [...shownLines(command), ...rest(input, ["command"])];
  const path = typeof file === "string" ? file : notebook;
  if (typeof path !== "string") return rest(input, []);
  return [withUnseenShown(shortPath(path, cwd)), ...changeLines(input), ...rest(input, shown)];
}

const shown = ["file_path", "notebook_path", "old_string", "new_string", "content", "new_source"];

function changeLines({ old_string: before, new_string: after, content, new_source: source }: Input): string[] {
  const marked = (mark: string, text: unknown) =>
    typeof text === "string" && text !== "" ? shownLines(text.replace(/\n$/, "")).map((line) => `${mark} ${line}`) : [];
  return [...marked("-", before), ...marked("+", after), ...marked("+", content), ...marked("+", source)];
}

/** Every other field: nothing of a call is kept from the one who agrees to it. */
function rest(input: Input, known: readonly string[]): string[] {
  return Object.entries(input)
    .filter(([name]) => !known.includes(name))
    .flatMap(([name, value]) => {
      const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
      const [first = "", ...more] = shownLines(text);
      return [`${withUnseenShown(name)}: ${first}`, ...more.map((line) => `  ${line}`)];
    });
}

function shortPath(path: string, cwd: string): string {
  if (!isAbsolute(path)) return path;
  const short = relative(cwd, path);
  return short === "" || short.startsWith("..") ? path : short;
}
