// What the measured programs see: a home of their own, and a small git repository to work in.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UNREAD_SINCE_S } from "./scenarios.mjs";

export function makeFolder() {
  const path = mkdtempSync(join(tmpdir(), "pawl-bench-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export function makePlace(folder, contestant, baseUrl) {
  const home = join(folder, "home");
  const work = join(folder, "work");
  mkdirSync(home, { recursive: true });
  for (const path of ["objects", "refs/heads"]) mkdirSync(join(work, ".git", path), { recursive: true });
  writeFileSync(join(work, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(work, ".git/config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
  // Nothing of the caller's environment: neither keys nor proxies nor settings.
  const env = {
    PATH: [dirname(process.execPath), "/usr/local/bin", "/usr/bin", "/bin"].join(":"),
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    NO_PROXY: "127.0.0.1",
    ...contestant.env({ baseUrl, home }),
  };
  return { work, env, stderrPath: join(folder, "stderr") };
}

/** The files that a scenario reads, as if nobody had read them yet. */
export function layOutFiles(work) {
  for (const name of ["early.txt", "other.txt"]) {
    writeFileSync(join(work, name), "early\n");
    utimesSync(join(work, name), UNREAD_SINCE_S, Date.now() / 1000);
  }
}
