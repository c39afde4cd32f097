import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@pawl\/core\/testing$/, replacement: source("./packages/core/src/testing/index.ts") },
      { find: /^@pawl\/core$/, replacement: source("./packages/core/src/index.ts") },
    ],
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    // Tests may run as root in a container, which is where the mode "bypassPermissions" is for.
    env: { IS_SANDBOX: "1" },
  },
});
