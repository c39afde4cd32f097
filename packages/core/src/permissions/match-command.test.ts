import { expect, test } from "vitest";
import { analyzeCommand } from "../shell/analysis/analyze-command.ts";
import { allowsWhole, patternAllows, patternHits } from "./match-command.ts";

/** Whether one pattern covers all commands of a line. */
function allows(pattern: string, line: string): boolean {
  const { commands, doubts } = analyzeCommand(line);
  if (allowsWhole(pattern, line)) return true;
  return doubts.length === 0 && commands.every((command) => patternAllows(pattern, command));
}

const hits = (pattern: string, line: string) => patternHits(pattern, line, analyzeCommand(line));

test.each([
  ["npm run build", "npm run build", true],
  ["npm run build", "npm run build --watch", false],
  ["npm run test *", "npm run test", true],
  ["npm run test *", "npm run test unit --bail", true],
  ["npm run test *", "npm run tests", false],
  ["ls*", "lsof", true],
  ["ls:*", "ls -la", true],
  ["ls:*", "lsof", false],
  ["git * main", "git push origin main", true],
  ["git * main", "git push main --force", false],
  ["* --version", "node --version", true],
  ["a:*b", "a:xb", true],
  ["npm test", "npm test\n", true],
  ["npm test *", "NODE_ENV=test npm test", true],
  ["npm test *", "LD_PRELOAD=./evil.so npm test", false],
  ["npm test *", "NODE_ENV=$(id) npm test", false],
  ["CI=1 uv run *", "CI=1 uv run pyright", true],
  ["UV_X=1 uv run *", "UV_X=1 uv run pyright", true],
  ["UV_X=1 uv run *", "UV_X=1 uv run pyright; id", false],
  ["UV_X=1 uv run *", "UV_X=2 uv run pyright", false],
  ["npm test *", "timeout 30 npm test", true],
  ["npm test *", "nice -n 5 nohup npm test", true],
  ["npm test *", "stdbuf -oL npm test", true],
  ["npm test *", "time npm test", true],
  ["npm *", "command -v npm", false],
  ["npm test *", "npx npm test", false],
  ["find *", "find . -name x", true],
  ["find *", "find . -delete", false],
  ["find . -delete", "find . -delete", true],
  ["watch *", "watch ls", false],
  ["watch ls", "watch ls", true],
  ['git commit -m "a b"', 'git commit -m "a b"', true],
  ["git log *", "git log; curl x | sh", false],
  ["git log *", "git log\ncurl x", false],
  ["git log *", "git log && rm x", false],
  ["git log *", "git log & rm x", false],
  ["git log *", "git log |& sh", false],
  ["git log *", "git log $(rm x)", false],
  ["git log *", "git log `rm x`", false],
  ["echo *", 'echo "$(rm -rf x)"', false],
  ["echo *", "echo <(rm x)", false],
  ["echo *", "echo '$(rm)'", true],
  ["*", "echo a; echo b", true],
])("the allow pattern %j on %j", (pattern, command, expected) => {
  expect(allows(pattern, command)).toBe(expected);
});

test.each([
  ["git clean *", "git clean -fd", "yes"],
  ["git clean *", "git fetch && git clean -fd", "yes"],
  ["git clean *", "git fetch || git clean", "yes"],
  ["git clean *", "git fetch; git clean", "yes"],
  ["git clean *", "git fetch\ngit clean", "yes"],
  ["git clean *", "git fetch & git clean", "yes"],
  ["git clean *", "git fetch |& git clean", "yes"],
  ["git clean *", "echo $(git clean -fd)", "yes"],
  ["git clean *", "echo `git clean -fd`", "yes"],
  ["git clean *", 'echo "$(git clean -fd)"', "yes"],
  ["git clean *", "diff <(git clean -fd) x", "yes"],
  ["git clean *", "(git clean -fd)", "yes"],
  ["git clean *", "{ git clean -fd; }", "yes"],
  ["git clean *", "if true; then git clean; fi", "yes"],
  ["git clean *", "A=1 B='x y' git clean", "yes"],
  ["git clean *", "git clean > log 2>&1", "yes"],
  ["git clean", "git clean > log 2>&1", "yes"],
  ["git clean", "git clean &> log", "yes"],
  ["git clean *", "git \\\n  clean -fd", "yes"],
  ["git clean *", "git   clean -fd", "yes"],
  ["rm *", "\\rm x", "yes"],
  ["rm *", "'rm' x", "yes"],
  ["rm *", "/bin/rm x", "yes"],
  ["rm *", "sudo -u bob /bin/rm x", "yes"],
  ["rm *", "timeout -k 5 30 rm x", "yes"],
  ["rm *", "find . -exec rm {} +", "yes"],
  ["rm *", "ls | xargs -n1 rm -f", "yes"],
  ["rm *", "bash -c 'rm -rf x'", "yes"],
  ["rm *", "env A=1 rm x", "yes"],
  ["rm *", "! rm x", "yes"],
  ["A=1 rm *", "true; A=1 rm x", "yes"],
  ["rm *", "rmdir x", "no"],
  ["rm *", "git rm x", "no"],
  ["rm *", "npm run rm", "no"],
  ["git push *", "git pushed", "no"],
  ["npm publish", "npm publish --dry-run", "no"],
])("the deny pattern %j on %j", (pattern, command, expected) => {
  expect(hits(pattern, command)).toBe(expected);
});

test("a deny pattern is found behind much padding, and at once", () => {
  const padding = "echo x;".repeat(1_900);
  const words = "rm ".repeat(10_000);
  const before = process.cpuUsage(); // of this process alone: a busy machine does not count
  expect(hits("git clean *", `${padding}git clean`)).toBe("yes");
  expect(hits("rm * zzz*y", `sudo ${words}`)).toBe("no");
  expect(hits("git clean *", `${padding.repeat(2)}git clean`)).toBe("maybe");
  expect(hits("git clean *", "x".repeat(100_001))).toBe("maybe");
  expect(process.cpuUsage(before).user / 1_000).toBeLessThan(3_000);
});
