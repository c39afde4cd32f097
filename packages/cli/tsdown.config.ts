import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { main: "src/main.ts" },
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: false,
  logLevel: "warn",
});
