import { mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { permissionContext } from "../../test/support/permission-context.ts";
import type { PermissionContext } from "./context.ts";
import { criticalRemoval } from "./critical-removal.ts";

let root: string;
let context: PermissionContext;

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "pawl-removal-")));
  for (const folder of ["up/ws/build", "home", "added"]) await mkdir(join(root, folder), { recursive: true });
  await symlink(join(root, "up"), join(root, "up/ws/to-parent"));
  context = permissionContext(root, {
    cwd: join(root, "up/ws"),
    directories: [join(root, "up/ws"), join(root, "added")],
  });
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  ["rm -rf /", "/"],
  ["rm -rf /*", "/*"],
  ["rm -fr -- /usr", "/usr"],
  ["rm --recursive --force /etc/", "/etc/"],
  ["rm -rf //usr/./", "//usr/./"],
  ["rm -rf ~", "~"],
  ["rm -rf ~/*", "~/*"],
  ["rm -rf $HOME", "$HOME"],
  [`rm -rf "\${HOME}"`, `\${HOME}`],
  ["rm -rf .", "."],
  ["rm -rf *", "*"],
  ["rm -rf ./*", "./*"],
  ["rm -rf .*", ".*"],
  ["rm -rf ..", ".."],
  ["rm -rf $PWD", "$PWD"],
  ['rm -rf "$DIR"/*', "$DIR/*"],
  [`rm -rf \${DIR}/`, `\${DIR}/`],
  ["rmdir ..", ".."],
  ["rm -rf to-parent/", "to-parent/"],
  ["\\rm -rf /", "/"],
  ["/bin/rm -rf /", "/"],
  ["sudo rm -rf /", "/"],
  ["bash -c 'rm -rf /'", "/"],
  ["ls; rm -rf /", "/"],
  ["echo $(rm -rf /)", "/"],
  ["echo `rm -rf /`", "/"],
  ["cat <(rm -rf /)", "/"],
  ["cd / && rm -rf usr", "usr"],
  ["X=1 rm -rf /", "/"],
  ["if true; then rm -rf /; fi", "/"],
  ["rm -rf build /", "/"],
  ['X=/; rm -rf "$X"', "$X"],
  ["X=/; rm -rf $X", "$X"],
  ["export X=/usr && rm -rf $X", "$X"],
  ["X=; true; rm -rf /$X", "/$X"],
  ['rm -rf "/$X"', "/$X"],
  ["rm -rf /usr/$X", "/usr/$X"],
  ["rm -rf ~/$X", "~/$X"],
  ["rm -rf $X/$Y", "$X/$Y"],
  ["rm -rf ~+", "~+"],
  ["rm -rf $(pwd)", "$(pwd)"],
  ['rm -rf "$(git rev-parse --show-toplevel)"', "$(git rev-parse --show-toplevel)"],
  ["rm -rf $(echo /)", "$(echo /)"],
  ["rm -rf `printf /usr`", "`printf /usr`"],
  ["find / -delete", "/"],
  ["find . -delete", "."],
  ["find -type f -delete", "."],
  ["find -L . -depth -delete", "."],
  ["find ~ -exec rm -rf {} +", "~"],
  ["find . -mindepth 1 -maxdepth 1 -exec rm -r {} ';'", "."],
])("%s is critical", async (command, target) => {
  expect(await criticalRemoval(command, context)).toBe(target);
});

test.each([
  "rm -rf build",
  "rm -rf ./build/*",
  "rm *.log",
  "rm cache*",
  "rm -rf /tmp/some/folder",
  "rm $FILE",
  "rm -rf $DIR/build",
  "X=build; rm -rf $X",
  "rm -rf $(echo build)",
  "rm -rf ./$X",
  'dir=$(mktemp -d); rm -rf "$dir"',
  "find . -name '*.pyc' -delete",
  "find build -delete",
  "find . -type d -empty -delete",
  "find . -newer x -exec rm {} +",
  "find . -exec grep -l x {} +",
  "npm run rm /",
  "git rm -r .",
  "ls /",
  "grep -r 'rm' .",
])("%s is not", async (command) => {
  expect(await criticalRemoval(command, context)).toBeUndefined();
});

test("an added directory may be removed as one, but not emptied by a glob", async () => {
  expect(await criticalRemoval(`rm -rf ${root}/added`, context)).toBeUndefined();
  expect(await criticalRemoval(`rm -rf ${root}/added/*`, context)).toBe(`${root}/added/*`);
});

test("a removal of very many files is asked about unread", async () => {
  expect(await criticalRemoval(`rm ${"f ".repeat(201)}`, context)).toBe("201 files");
});

test("a command too long to read counts as one, and digits without end are read at once", async () => {
  expect(await criticalRemoval(`echo ${"1".repeat(100_001)}`, context)).toBe("what is hidden in so long a command");
  expect(await criticalRemoval(`echo ${"1".repeat(99_000)}`, context)).toBeUndefined();
});

test("what may be empty below the folder of temporary files is not, unless the home is there", async () => {
  expect(await criticalRemoval("rm -rf /tmp/$X", { ...context, home: "/home/ann" })).toBeUndefined();
  expect(await criticalRemoval("rm -rf /tmp/$X", { ...context, home: "/tmp/ann" })).toBe("/tmp/$X");
});
