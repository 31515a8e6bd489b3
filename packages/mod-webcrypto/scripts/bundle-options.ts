import { fileURLToPath } from "node:url";
import type { BuildOptions, Plugin } from "rolldown";
import * as primordials from "../src/realm/primordials.ts";

/**
 * Two classic scripts without imports. A runner evaluates the first in a realm (or in the one that it makes a
 * startup snapshot of); its completion value is `install`. That of the second takes what the first has captured
 * and the host, and makes the globals.
 */
export const installScript = describeScript("install", "install.js", "return install.install;\n})();", "");
export const layerScript = describeScript(
  "layer",
  "layer.js",
  "return layer.createGlobals(host);\n})",
  "captured, host",
);

function describeScript(name: string, file: string, footer: string, parameters: string) {
  return {
    input: fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url)),
    platform: "neutral",
    treeshake: true,
    plugins: name === "layer" ? [takeCaptured()] : [],
    output: {
      file: fileURLToPath(new URL(`../dist/${file}`, import.meta.url)),
      format: "iife",
      name,
      comments: false,
      // Else the realm's `Object` would be asked to mark what the script exports.
      generatedCode: { symbols: false },
      // Blank space only: names are told by `toString` and by stacks, and classes have theirs from the source.
      minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
      // `var` would leave a global behind; the inner function keeps it.
      banner: `((${parameters}) => {\n"use strict";`,
      footer,
    },
  } satisfies BuildOptions;
}

/** The layer has no intrinsics of its own: by the time it runs they could be a mod's. */
function takeCaptured(): Plugin {
  return {
    name: "take-captured",
    load: {
      filter: { id: /\/realm\/primordials\.ts$/ },
      handler: () => `export const { ${Object.keys(primordials).join(", ")} } = captured;`,
    },
  };
}
