import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { PawlError } from "../lib/error.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** An empty `HOME` is none: sessions must not end up in the folder that the program happens to stand in. */
export function homeOf({ HOME }: Env): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : userInfo().homedir;
}

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

/** Absolute path of another product's folder of the same layout, which is read and never written: `CLAUDE_CONFIG_DIR`, or `.claude`. */
export function publicConfigHome(env: Env, home: string): string {
  const moved = env["CLAUDE_CONFIG_DIR"];
  return moved !== undefined && isAbsolute(moved) ? moved : join(home, ".claude");
}
