import { isOption, type ShellWord } from "../shell-word.ts";
import { type AllowedOptions, operandsOf } from "./options.ts";

/** Options with which nothing is fetched from a server for debugging and no plugin is loaded. */
const allowed: Readonly<Record<string, AllowedOptions>> = {
  nm: { flags: "ACDgnPruSv", long: "demangle defined-only undefined-only extern-only dynamic" },
  readelf: { flags: "ahlSsedrnVW", long: "wide file-header program-headers sections symbols dynamic" },
  objdump: { flags: "adfhprTtxC", values: "jM" },
  size: { flags: "ABdoxt" },
};

/** The programs and libraries that are looked into; `@file` would be a file with more arguments. */
export function binaryReads(program: string, args: readonly ShellWord[]): ShellWord[] | undefined {
  if (args.some((word) => !isOption(word) && (/^[@\0]/.test(word.value) || word.globAt === 0))) return undefined;
  return operandsOf(args, allowed[program] ?? {});
}
