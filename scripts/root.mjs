import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, with a slash at the end. */
export const root = fileURLToPath(new URL("..", import.meta.url));

/** Whether the module is the program that was started, not one that another imports. */
export const isMain = (moduleUrl) =>
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(moduleUrl);
