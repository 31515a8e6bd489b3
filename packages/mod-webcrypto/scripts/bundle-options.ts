import { fileURLToPath } from "node:url";
import type { BuildOptions } from "rolldown";

/**
 * One classic script without imports: its completion value is `install`. A runner evaluates it in a realm
 * (or in the one that it makes a startup snapshot of) and calls what comes out with the realm's global.
 */
export const bundleOptions = {
  input: fileURLToPath(new URL("../src/install.ts", import.meta.url)),
  platform: "neutral",
  treeshake: true,
  output: {
    file: fileURLToPath(new URL("../dist/mod-webcrypto.js", import.meta.url)),
    format: "iife",
    name: "modWebcrypto",
    comments: false,
    // Blank space only: names are told by `toString` and by stacks, and classes have theirs from the source.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
    // `var` would leave a global behind; the inner function keeps it.
    banner: '(() => {\n"use strict";',
    footer: "return modWebcrypto.install;\n})();",
  },
} satisfies BuildOptions;
