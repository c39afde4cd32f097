import { isKnown } from "./shell-word.ts";
import { argumentsOf, namedProgram, type SimpleCommand } from "./simple-command.ts";

/**
 * Whether the output is names of files, each ended by a NUL, that lie where the arguments say and are no links: what
 * reads those files goes no further than what lists them.
 */
export function listsFiles(command: SimpleCommand): boolean {
  const args = argumentsOf(command);
  const values = args.map(({ value }) => value);
  if (!args.every(isKnown)) return false;
  const has = (option: RegExp) => values.some((value) => option.test(value));
  switch (namedProgram(command)) {
    case "find":
      return hasTypeFile(values) && values.at(-1) === "-print0" && !has(/^-(?:exec|ok|print$|printf|ls|fls)/);
    case "rg":
      return has(/^--files$|^-l$/) && has(/^-0$|^--null$/) && !has(/^-\w*[Lr]|^--(?:follow|replace|json|pre)/);
    case "grep":
      return has(/^-[rinwElZ]*l/) && has(/^-[rinwElZ]*r/) && has(/^-[rinwElZ]*Z/);
    default:
      return false;
  }
}

/** Of the words of `find`: whether it finds nothing but plain files below where it begins. */
export const hasTypeFile = (values: readonly string[]): boolean =>
  values.some(
    (value, at) => value === "-type" && values[at + 1] === "f" && !/^(?:!|-not)$/.test(values[at - 1] ?? ""),
  ) && !values.some((value) => /^(?:-L|-follow|-o|-or|,|\()$/.test(value));
