import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts" },
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: true,
  copy: ["src/settings/settings.schema.json", "src/**/*-worker.mjs"],
  logLevel: "warn",
});
