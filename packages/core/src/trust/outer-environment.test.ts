import { expect, test } from "vitest";
import { outerEnvironment } from "./outer-environment.ts";

const outer = (env: Record<string, string>) => outerEnvironment(env, ["/p"]);

test("a search path keeps the folders of the system, and nothing of the folder or relative to it", () => {
  const PATH = ".:/usr/bin::./node_modules/.bin:/p/bin:/p:/pure/bin:/usr/../p/bin:bin:/bin";

  expect(outer({ PATH, HOME: "/home/a" })).toEqual({
    env: { PATH: "/usr/bin:/pure/bin:/bin", HOME: "/home/a" },
    leftOut: ["PATH: .", "PATH: ./node_modules/.bin", "PATH: /p/bin", "PATH: /p", "PATH: /usr/../p/bin", "PATH: bin"],
  });
});

test("files that programs read orders from are not taken from the folder", () => {
  const env = { SHELL: "./bash", RIPGREP_CONFIG_PATH: "/p/.ripgreprc", ZDOTDIR: "/home/a", LD_PRELOAD: "/p/evil.so" };

  expect(outer(env)).toEqual({
    env: { SHELL: undefined, RIPGREP_CONFIG_PATH: undefined, ZDOTDIR: "/home/a", LD_PRELOAD: undefined },
    leftOut: ["SHELL: ./bash", "RIPGREP_CONFIG_PATH: /p/.ripgreprc", "LD_PRELOAD: /p/evil.so"],
  });
});
