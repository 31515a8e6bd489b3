import { defineConfig } from "vitest/config";

// Each package runs `vitest run` in its own folder; this file is what they share.
export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    reporters: ["default", ["json", { outputFile: ".reports/vitest.json" }]],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
