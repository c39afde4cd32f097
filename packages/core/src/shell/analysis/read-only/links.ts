import type { ShellWord } from "../shell-word.ts";

/**
 * The options with which a search through a folder goes where links lead, or starts a program for each file. In a cluster a
 * letter that takes a value ends it; digits and dots are options too (`-5R`, `-.L`).
 */
export const leavesByLinks = {
  grep: /^-[^-ABCDdefm]*[RS]|^--der/,
  rg: /^-[^-ABCEdefgjMmrtT]*[zL]|^--(?:pre|sea|hos|fol)/,
} as const;

const has = (args: readonly ShellWord[], option: RegExp): boolean => args.some(({ value }) => option.test(value));

/** Whether `ls` walks through folders and follows the links that it meets. */
export const listsBehindLinks = (args: readonly ShellWord[]): boolean =>
  has(args, /^-(?!-).*L|^--der/) && has(args, /^-(?!-).*R|^--rec/);

/** Whether `du`, which always walks, follows the links that it meets. */
export const measuresBehindLinks = (args: readonly ShellWord[]): boolean =>
  has(args, /^-[^-BdtX]*L|^--de(?!reference-args)/);
