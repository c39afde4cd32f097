import { delimiter, isAbsolute, normalize } from "node:path";
import { isInside } from "../lib/is-inside.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Lists of folders and files out of which programs and libraries are taken; an empty part means the current directory. */
const lists: ReadonlyMap<string, string | RegExp> = new Map<string, string | RegExp>([
  ["PATH", delimiter],
  ["LD_LIBRARY_PATH", /[:;]/],
  ["LD_PRELOAD", /[:\s]+/],
  ["LD_AUDIT", delimiter],
  ["DYLD_LIBRARY_PATH", delimiter],
  ["DYLD_FRAMEWORK_PATH", delimiter],
  ["DYLD_INSERT_LIBRARIES", delimiter],
]);
/** Of these a part without a folder is a name that the system looks up. */
const named: readonly string[] = ["LD_PRELOAD", "LD_AUDIT", "GIT_EXTERNAL_DIFF"];

/** Single files and folders in which programs that we start, or let start without a question, find orders. */
const places: readonly string[] = [
  ...["SHELL", "PAWL_SHELL", "CLAUDE_CODE_SHELL", "CLAUDE_SHELL", "ANTHROPIC_SHELL"],
  ...["ZDOTDIR", "RIPGREP_CONFIG_PATH", "DOCKER_CONFIG", "PAWL_ENV_FILE", "CLAUDE_ENV_FILE"],
  ...["GIT_DIR", "GIT_COMMON_DIR", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_EXEC_PATH", "GIT_EXTERNAL_DIFF"],
];

type OuterEnvironment = {
  env: Environment;
  /** What was taken out, as `PATH: ./bin`. */
  leftOut: readonly string[];
};

/**
 * The user's variables without what they point to in the folder: relative parts of a path, `node_modules/.bin` and the like,
 * by which a file of the folder would be run in place of a program of the system.
 */
export function outerEnvironment(env: Environment, folders: readonly string[]): OuterEnvironment {
  const leftOut: string[] = [];
  const isOuter = (path: string) => isAbsolute(path) && !folders.some((folder) => isInside(normalize(path), folder));
  const keep = (name: string, part: string) => {
    const kept = isOuter(part) || (named.includes(name) && !part.includes("/"));
    if (!kept && part !== "") leftOut.push(`${name}: ${part}`);
    return kept && part !== "";
  };
  const outer = Object.entries(env).map(([name, value]): [string, string | undefined] => {
    if (value === undefined || value === "") return [name, value];
    const separator = lists.get(name);
    if (separator !== undefined) return [name, kept(value.split(separator).filter((part) => keep(name, part)))];
    return [name, places.includes(name) && !keep(name, value) ? undefined : value];
  });
  return { env: Object.fromEntries(outer), leftOut };
}

/** No list at all is not an empty one: that would mean the current directory. */
const kept = (parts: readonly string[]): string | undefined => (parts.length === 0 ? undefined : parts.join(delimiter));
