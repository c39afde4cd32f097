import { isKnown, type ShellWord } from "./shell-word.ts";

/** A text that runs a command once it is taken for a variable or a number. */
const runsWhenEvaluated = /\[.*[$`]/s;

export const SUBSCRIPT = "a subscript may run a command when it is evaluated";

export const mayRunWhenEvaluated = ({ value }: ShellWord): boolean => runsWhenEvaluated.test(value);

const isPlainName = (word: ShellWord | undefined): boolean =>
  word !== undefined && isKnown(word) && /^[A-Za-z_]\w*$/.test(word.value);

/** Builtins that take names of variables, and with them subscripts, which are evaluated. */
const takers: ReadonlySet<string> = new Set(
  "printf read test [ [[ wait export exit return break continue shift".split(" "),
);

/** Whether a builtin may run what stands in the subscript of a variable that its arguments name. */
export function mayEvaluateSubscript(program: string, args: readonly ShellWord[]): boolean {
  if (!takers.has(program)) return false;
  if (args.some(mayRunWhenEvaluated)) return true;
  switch (program) {
    case "printf": {
      const [option, name] = args;
      if (option?.value.startsWith("-v") !== true) return false;
      return !(option.value === "-v" ? isPlainName(name) : /^-v\w+$/.test(option.value));
    }
    case "test":
    case "[":
      return args.some(
        ({ value }, at) =>
          (/^-[vR]$/.test(value) && !isPlainName(args[at + 1])) ||
          (value === "-t" && args[at + 1] !== undefined && !/^(?:\d+|\])$/.test(args[at + 1]?.value ?? "")),
      );
    case "read":
      return args.some((word) => !isKnown(word) || word.value.includes("["));
    default:
      return false;
  }
}
