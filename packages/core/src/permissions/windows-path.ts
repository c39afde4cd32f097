/** A path of Windows in the form in which all paths are compared: `/c/Users/x`. */
type WindowsPath = {
  /** With `/` between names; absolute, `..` still in it. */
  path: string;
  /** Another way to read the same text. */
  otherwise?: string;
  /** The text does not say which file it is: a device, a stream of a file, a name that cannot be. */
  isOpen: boolean;
};

/** Folders above all drives, with a character that no name can hold. */
const SHARES = "/:unc";
const DEVICES = "/:device";
/** The root that a POSIX shell on Windows has for itself. */
const SHELL_ROOT = "/:shell";

const reserved = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)[ .:]*(?:[.:].*)?$/i;
const impossible = /[<>"|?*\p{Cc}]/u;

/**
 * Reads a path as Windows does, or a POSIX shell on it: drives (`C:\x`, `C:x`, `/c/x`), shares (`\\server\share`), the
 * prefixes `\\?\` and `\\.\`, either slash, dots and blanks at the end of a name, streams (`file::$DATA`), names of devices.
 *
 * @param cwd absolute, in the form that is given back.
 */
export function windowsPath(written: string, cwd: string): WindowsPath {
  const { path, otherwise, isOpen } = rooted(written.replaceAll("\\", "/"), cwd);
  const cleaned = path.split("/").map(cleanName);
  return {
    path: cleaned.map(({ name }) => name).join("/"),
    ...(otherwise === undefined ? {} : { otherwise }),
    isOpen: isOpen === true || cleaned.some((each) => each.isOpen),
  };
}

type Rooted = { path: string; otherwise?: string; isOpen?: boolean };

function rooted(text: string, cwd: string): Rooted {
  const space = /^(?:\/\/[?.]|\/\?\?)\/(.*)$/s.exec(text)?.[1];
  if (space !== undefined) return inDeviceSpace(space);
  const share = /^\/\/+([^/].*)$/s.exec(text)?.[1];
  if (share !== undefined) {
    const isDrive = /^[a-z](?:\/|$)/i.test(share); // as rules write it
    return isDrive ? { path: drive(`/${share}`), otherwise: `${SHARES}/${share}` } : { path: `${SHARES}/${share}` };
  }
  // A relative path that was put behind a folder may have a drive of its own.
  const [, letter, colonRest] = /^(?:.*\/)?([a-z]):(?=\/|$)(.*)$/is.exec(text) ?? [];
  if (letter !== undefined) return { path: `/${letter.toLowerCase()}${colonRest || "/"}` };
  const [, ofDrive, rest] = /^([a-z]):(.*)$/is.exec(text) ?? [];
  if (ofDrive !== undefined) return onDrive(ofDrive.toLowerCase(), rest ?? "", cwd);
  if (/^\/(?:cygdrive\/)?[a-z](?:\/|$)/i.test(text)) return { path: drive(text.replace(/^\/cygdrive(?=\/)/i, "")) };
  if (/^\/:/.test(text)) return { path: text }; // it was read before
  if (text.startsWith("/")) return { path: `/${driveOf(cwd)}${text}`, otherwise: SHELL_ROOT + text };
  return { path: `${cwd}/${text}` };
}

function inDeviceSpace(rest: string): Rooted {
  const share = /^unc\/+(.*)$/is.exec(rest)?.[1];
  if (share !== undefined) return { path: `${SHARES}/${share}` };
  const [, letter, path = ""] = /^([a-z]):(\/.*)?$/is.exec(rest) ?? [];
  return letter === undefined
    ? { path: `${DEVICES}/${rest}`, isOpen: true }
    : { path: `/${letter.toLowerCase()}${path || "/"}` };
}

/** `C:x`: relative to where that drive's current folder is, which is known of the current drive only. */
const onDrive = (letter: string, rest: string, cwd: string): Rooted =>
  letter === driveOf(cwd) ? { path: `${cwd}/${rest}` } : { path: `/${letter}/${rest}`, isOpen: true };

const drive = (path: string) => path.slice(0, 2).toLowerCase() + path.slice(2);
const driveOf = (path: string) => /^\/([a-z])(?:\/|$)/.exec(path)?.[1] ?? "c";

/** The name as it is stored: without a stream, and without dots and blanks at its end. */
function cleanName(name: string): { name: string; isOpen: boolean } {
  if (name === "" || name === "." || name === ".." || /^:(?:unc|device|shell)$/.test(name)) {
    return { name, isOpen: false };
  }
  const [stored = "", ...streams] = name.split(":");
  const plain = stored.replace(/(?<![. ])[. ]+$/, "");
  const isOpen = streams.length > 0 || plain === "" || reserved.test(name) || impossible.test(name);
  return { name: plain === "" ? `:${name.length}` : plain, isOpen };
}

/** `PROGRA~1`, `GIT~1`: the second, short name of some file. */
const shortName = /^([^~.]{1,7})~\d{1,6}(?:\.[^.]{0,3})?$/;

export const hasShortName = (path: string): boolean => path.split("/").some((name) => shortName.test(name));

/** Whether a name may be the short one of a file: its first letters, without dots and blanks, in any case. */
export function mayBeShortFor(short: string, name: string): boolean {
  const begin = shortName.exec(short)?.[1];
  if (begin === undefined) return false;
  const plain = name
    .replace(/^[. ]+/, "")
    .replace(/[ .]/g, "")
    .toLowerCase();
  return plain.startsWith(begin.slice(0, 6).toLowerCase()) || /^[^~]{2}[0-9a-f]{4}$/i.test(begin); // hashed after four of a kind
}

/** `C:\x` for `/c/x`, `\\server\share` for `/:unc/server/share`: as the system's own functions take it. */
export function nativeWindowsPath(path: string): string {
  if (path.startsWith(`${SHARES}/`)) return `\\\\${path.slice(SHARES.length + 1).replaceAll("/", "\\")}`;
  const [, letter, rest] = /^\/([a-z])(\/.*)?$/s.exec(path) ?? [];
  return letter === undefined
    ? path.replaceAll("/", "\\")
    : `${letter.toUpperCase()}:${(rest ?? "/").replaceAll("/", "\\")}`;
}

/** A pattern of a rule with Windows' own beginnings and slashes, in the form of the others: `//c/x` for `C:\x`. */
export function windowsPattern(spec: string): string {
  const slashed = spec.replace(/\\(?![[\]{}()!# ])/g, "/");
  const [, letter, rest] = /^([a-z]):(\/.*)?$/is.exec(slashed) ?? [];
  if (letter !== undefined) return `//${letter.toLowerCase()}${rest ?? "/"}`;
  const [, share] = /^\/\/([^/*?[]{2,}(?:\/.*)?)$/s.exec(slashed) ?? [];
  return share === undefined ? slashed : `/${SHARES}/${share}`;
}
