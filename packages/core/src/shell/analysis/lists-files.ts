import { isKnown } from "./shell-word.ts";
import { argumentsOf, namedProgram, type SimpleCommand } from "./simple-command.ts";

/**
 * `listed` or `found`: the output is names of files, each ended by a NUL, that lie where the arguments say and are no links: what
 * reads those files goes no further than what lists them. `below F`: links may be among them, all below the folder F.
 */
export function listsFiles(command: SimpleCommand): Exclude<SimpleCommand["input"], "none" | "piped"> | undefined {
  const args = argumentsOf(command);
  const values = args.map(({ value }) => value);
  if (!args.every(isKnown)) return undefined;
  const has = (option: RegExp) => values.some((value) => option.test(value));
  switch (namedProgram(command)) {
    case "find":
      return values.at(-1) === "-print0" && values.filter(isAction).length === 1 ? foundNames(values) : undefined;
    case "rg":
      return has(/^--files$|^-l$/) &&
        has(/^-0$|^--null$/) &&
        !has(/^-\w*[cLr]|^--(?:follow|replace|json|pre|path-s|count|stat)/)
        ? "listed"
        : undefined;
    case "grep":
      return has(/^-[rinwElZ]*l/) && has(/^-[rinwElZ]*r/) && has(/^-[rinwElZ]*Z/) && !has(/^-\w*[cR]|^--(?:c|d|l)/)
        ? "listed"
        : undefined;
    default:
      return undefined;
  }
}

function foundNames(values: readonly string[]): "found" | `below ${string}` | undefined {
  const folder = foundBelow(values);
  if (findsFiles(values)) return "found";
  return folder === undefined ? undefined : `below ${folder}`;
}

const isAction = (value: string): boolean => /^-(?:exec|ok|print|ls|f(?:print|ls)|delete)/.test(value);

/** The one folder that all lies below, or is, which a `find` tells of; undefined when it is not known or links are followed. */
export function foundBelow(values: readonly string[]): string | undefined {
  const end = values.findIndex((value) => /^[-(!,)]/.test(value));
  const [root = ".", ...more] = end === -1 ? values : values.slice(0, end);
  const leaves = values.some((value) => /^-(?:L|H|follow|files0-from)$/.test(value));
  return leaves || more.length > 0 || !/^[\w./][\w./@+-]*$/.test(root) ? undefined : root;
}

/** Of the words of `find`: whether what its first action gets is nothing but plain files below where it begins. */
export const findsFiles = (values: readonly string[]): boolean =>
  values
    .slice(0, values.findIndex(isAction))
    .some((value, at) => value === "-type" && values[at + 1] === "f" && !/^(?:!|-not)$/.test(values[at - 1] ?? "")) &&
  !values.some((value) => /^(?:-L|-follow|-o|-or|,|\()$/.test(value));
