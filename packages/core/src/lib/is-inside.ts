import { sep } from "node:path";

/** Whether `path` is `folder` or below it, by their text: both absolute and normalized, and real paths where links matter. */
export const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
