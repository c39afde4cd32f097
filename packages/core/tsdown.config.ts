import { defineConfig } from "tsdown";

export default defineConfig({
  entry: { index: "src/index.ts", testing: "src/testing/index.ts" },
  platform: "node",
  target: "node20",
  fixedExtension: false,
  dts: true,
  copy: ["src/settings/settings.schema.json", "src/**/*-worker.mjs"],
  logLevel: "warn",
  outputOptions: {
    // What a start loads is one more file, not one for each set of later parts that need it, too. A scripted model is none of it.
    codeSplitting: {
      // Nor are declarations, which would be left without the file that they share.
      groups: [
        {
          ...{ name: "shared", tags: ["$initial"], minShareCount: 2 },
          test: (id) => !/[\\/]scripted[\\/]|\.d\.ts$/.test(id),
        },
      ],
    },
  },
});
