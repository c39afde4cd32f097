import { isKnown, type ShellWord } from "../shell-word.ts";
import { operandsOf } from "./options.ts";

/** The files that a `sed` reads, when its scripts are known and write and run nothing. */
export function sedReads(args: readonly ShellWord[]): ShellWord[] | undefined {
  if (args.some(({ globAt, value }) => globAt !== undefined || value === "--")) return undefined;
  const scripts: ShellWord[] = [];
  const rest = args.filter((word, at) => {
    const isScript = /^-[nErsuz]*e$|^--expression$/.test(args[at - 1]?.value ?? "");
    if (isScript) scripts.push(word);
    return !isScript;
  });
  const operands = operandsOf(
    rest.filter(({ value }) => !/^-[nErsuz]*e$|^--expression$/.test(value)),
    {
      flags: "nErsuz",
      long: "quiet silent regexp-extended separate unbuffered null-data posix sandbox debug",
    },
  );
  if (operands === undefined) return undefined;
  if (scripts.length === 0) scripts.push(...operands.splice(0, 1));
  return scripts.length > 0 && scripts.every((script) => isKnown(script) && onlyPrints(script.value))
    ? operands
    : undefined;
}

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n[]|\\.)*/I?)`;
const addresses = String.raw`(?:${address}(?:\s*,\s*(?:${address}|[+~]\d+))?\s*!?\s*)?`;
const substitution = String.raw`s([/|,#:@!_])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpIi0-9]*`;
const command = `${addresses}(?:[pdqPDnNhHgGxl=]|${substitution})?`;
const sedScript = new RegExp(String.raw`^\s*${command}\s*$`);

/** Commands apart from `w`, `e`, `r` and their like, each on its own between semicolons. */
function onlyPrints(script: string): boolean {
  if (sedScript.test(script)) return true;
  return !/[\\[]/.test(script) && script.split(/[;\n]/).every((each) => sedScript.test(each));
}

/** The files that an `awk` reads, when its program is known and writes, runs and opens nothing else. */
export function awkReads(args: readonly ShellWord[]): ShellWord[] | undefined {
  const operands = operandsOf(args, { values: "Fv" });
  const program = operands?.shift();
  if (operands === undefined || program === undefined || !isKnown(program)) return undefined;
  const { value } = program;
  const opens = /system|getline|ARG[VC]|SYMTAB|@|(?<!\|)\|(?!\|)|\\[^nt]/.test(value) || mayRedirect(value);
  return opens || operands.some(({ value: file }) => file.includes("=")) ? undefined : operands;
}

/** A `>` outside of all actions compares, and so does one in brackets; where there may be more texts or patterns nobody can tell. */
function mayRedirect(program: string): boolean {
  const unquoted = program.replaceAll(/"(?:[^"\\\n]|\\[nt])*"/g, "S");
  if (!/>(?!=)/.test(unquoted)) return /["#/]/.test(unquoted) && />(?!=)/.test(program);
  return /["#/]/.test(unquoted) || />(?!=)/.test(withoutComparisons(actionsOf(unquoted)));
}

/** What stands in braces, whatever is in them. */
function actionsOf(program: string): string {
  let depth = 0;
  return Array.from(program, (letter) => {
    if (letter === "{") depth++;
    if (letter === "}") depth--;
    return depth === 0 ? " " : letter;
  }).join("");
}

/** Without all that stands in brackets and prints nothing. */
function withoutComparisons(actions: string): string {
  const shorter = actions.replaceAll(/\((?![^()]*\bprint)[^(){};]*\)/g, "B");
  return shorter === actions ? actions : withoutComparisons(shorter);
}
