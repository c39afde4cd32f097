import { isAbsolute } from "node:path";
import { messageOf, PawlError, systemCode } from "../lib/error.ts";

/** Refuses what the system would misread: a NUL byte ends a path there, a relative path depends on the process. */
export function requireUsablePath(path: string): void {
  if (path.includes("\0")) {
    throw new PawlError("file_path", `The path ${JSON.stringify(path)} holds a NUL byte; no file name can. Remove it.`);
  }
  if (!isAbsolute(path)) throw new PawlError("file_path", `The path ${JSON.stringify(path)} is not absolute.`);
}

/** What a failed system call means for the user of `path`. An error that is ours already passes through. */
export function fileError(error: unknown, path: string): PawlError {
  if (error instanceof PawlError) return error;
  const cause = { cause: error };
  switch (systemCode(error)) {
    case "ENOENT":
      return new PawlError("file_missing", `${path} does not exist.`, cause);
    case "ENOTDIR":
    case "EEXIST":
      return new PawlError(
        "file_missing",
        `${path} cannot be there: a part of the path is a file, not a directory.`,
        cause,
      );
    case "EISDIR":
      return new PawlError("file_is_directory", `${path} is a directory, not a file.`, cause);
    case "ELOOP":
      return new PawlError(
        "file_io",
        `${path} leads through a loop of symbolic links. Remove one of the links.`,
        cause,
      );
    case "ENAMETOOLONG":
      return new PawlError("file_path", `${path} is too long for this file system. Use a shorter name.`, cause);
    case "EACCES":
    case "EPERM":
      return new PawlError("file_io", `${path}: the system denies access to this user. Change its permissions.`, cause);
    case "EROFS":
      return new PawlError("file_io", `${path} is on a read-only file system.`, cause);
    case "EBUSY":
      return new PawlError(
        "file_io",
        `${path} is in use by the system and cannot be replaced, such as a single file that a container mounts. Change it in place through Bash.`,
        cause,
      );
    case "ENOSPC":
    case "EDQUOT":
      return new PawlError("file_io", `${path}: no space is left on the device. Free some and try again.`, cause);
    default:
      return new PawlError("file_io", `${path}: ${messageOf(error)}`, cause);
  }
}
