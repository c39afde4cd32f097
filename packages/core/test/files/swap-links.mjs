// Puts a link to another place where a folder or file is, and takes it away again, as fast as it can, until it is killed.
// usage: node swap-links.mjs NAME TARGET [NAME TARGET ...]
import { renameSync, rmSync, symlinkSync } from "node:fs";

const pairs = [];
for (let index = 2; index < process.argv.length; index += 2) {
  const [name, target] = process.argv.slice(index, index + 2);
  rmSync(`${name}.link`, { force: true });
  symlinkSync(target, `${name}.link`);
  pairs.push(name);
}

function move(from, to) {
  for (;;) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (error.code === "ENOENT") return;
      // The other process has made a folder of this name in the meantime.
      removeTree(to);
    }
  }
}

function removeTree(path) {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // It is filled while it is emptied: once more, then.
  }
}

process.stdout.write("swapping\n");
for (let round = 0; ; round++) {
  const name = pairs[round % pairs.length];
  move(name, `${name}.real`);
  move(`${name}.link`, name);
  for (let spin = 0; spin < (round % 7) * 2_000; spin++);
  move(name, `${name}.link`);
  move(`${name}.real`, name);
  for (let spin = 0; spin < (round % 5) * 3_000; spin++);
}
