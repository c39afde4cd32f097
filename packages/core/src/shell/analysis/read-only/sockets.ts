import { isKnown, type ShellWord } from "../shell-word.ts";

const valuesOf = (args: readonly ShellWord[]): string[] | undefined =>
  args.every(isKnown) ? args.map(({ value }) => value) : undefined;

/** Whether `ss` only lists: `-K` ends connections, `-D` writes a file, `-F` reads one, `-r` asks a name server. */
export function listsSockets(args: readonly ShellWord[]): boolean {
  const values = valuesOf(args);
  const long = /^--(?:tcp|udp|listening|all|numeric|processes|summary|unix|no-header|ipv4|ipv6|extended)$/;
  const filter = /^(?:state|sport|dport|[=:(),]|or|and|:?\d+|listening|established|connected)$/;
  return (
    values?.every((value) => /^-[ltunaxpemiosHOh046wd]+$/.test(value) || long.test(value) || filter.test(value)) ===
    true
  );
}

/** Whether `netstat` only lists; unless it is to leave numbers as they are it asks a name server. */
export function listsConnections(args: readonly ShellWord[]): boolean {
  const values = valuesOf(args);
  const isPlain = values?.every((value) => /^-[tulnpaeoswxrig46W]+$/.test(value)) === true;
  return isPlain && values.some((value) => value.includes("n"));
}

const lsofOption =
  /^(?:-[nPltabRU]+|-[nPlta]*i(?:[46]?(?:TCP|UDP)?(?::[\d,-]+)?)?|-s(?:TCP|UDP):[A-Z]+|-p\d[\d,]*|:[\d,-]+|(?:TCP|UDP)(?::[\d,-]+)?)$/i;

/** Whether `lsof` only lists open files by process or port; without `-n` it asks a name server. */
export function listsOpenFiles(args: readonly ShellWord[]): boolean {
  const values = valuesOf(args);
  const own = values?.filter((value, at) => !(/^-[nPlta]*p$/.test(values[at - 1] ?? "") && /^\d[\d,]*$/.test(value)));
  const isPlain = own?.every((value) => lsofOption.test(value) || /^-[nPlta]*p$/.test(value)) === true;
  return isPlain && own.some((value) => /^-[Pltabi]*n/.test(value));
}

/** Whether `ip` only shows; it can also run programs and commands out of files. */
export function showsNetwork(args: readonly ShellWord[]): boolean {
  const line = valuesOf(args)?.join(" ") ?? "?";
  const object = "(?:a|addr|address|l|link|r|route|n|neigh|rule)";
  return new RegExp(
    `^(?:-(?:4|6|br|brief|c|color|s|j|json|o|d) )*${object}(?: (?:show|list|ls)(?: dev [\\w.-]+)?)?$`,
  ).test(line);
}
