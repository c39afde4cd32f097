import { isAbsolute, join } from "node:path";
import { PawlError } from "../lib/error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** Absolute path of our own folder for settings and sessions: `PAWL_CONFIG_DIR`, or `.pawl` in the home folder. */
export function configHome(env: Env, home: string): string {
  const moved = env["PAWL_CONFIG_DIR"];
  if (moved === undefined || moved === "") return join(home, ".pawl");
  if (isAbsolute(moved)) return moved;
  throw new PawlError(
    "settings_invalid",
    `PAWL_CONFIG_DIR is "${moved}"; give an absolute path, such as ${join(home, ".pawl")}`,
  );
}
