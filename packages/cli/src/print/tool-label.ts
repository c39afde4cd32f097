import { isAbsolute, relative } from "node:path";
import { withUnseenShown } from "../terminal/shown-text.ts";
import { oneLine } from "./terminal-text.ts";

/** The input that says most, by the names that tools use. */
const tellingInputs = [
  "command",
  "file_path",
  "notebook_path",
  "pattern",
  "url",
  "query",
  "skill",
  "path",
  "description",
];

/** One call in short: `Bash(npm test)`, `Read(src/index.ts)`. */
export function toolLabel(name: string, input: Readonly<Record<string, unknown>>, cwd = process.cwd()): string {
  const telling = tellingInputs.map((key) => input[key]).find((value) => typeof value === "string");
  if (typeof telling !== "string" || telling === "") return oneLine(name);
  return withUnseenShown(oneLine(`${name}(${shortPath(telling, cwd)})`));
}

function shortPath(text: string, cwd: string): string {
  if (!isAbsolute(text) || /\s/.test(text)) return text;
  const path = relative(cwd, text);
  return path === "" || path.startsWith("..") ? text : path;
}
