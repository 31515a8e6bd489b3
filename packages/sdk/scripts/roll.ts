import { writeFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { type Plugin, rollup } from "rollup";
import { dts } from "rollup-plugin-dts";
import { compactDeclarations } from "./compact-declarations.ts";

/** A file that the build writes. */
export interface Rolled {
  name: string;
  code: string;
}

/** A module with all that it takes from the workspace as one ES module for Node 20 and newer, minified. */
export async function rollJavaScript(packageDir: string, input: string, file: string): Promise<Rolled> {
  const bundle = await rolldown({
    cwd: packageDir,
    input,
    platform: "node",
    experimental: { attachDebugInfo: "none" },
    tsconfig: false,
    transform: { target: "node20" },
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    file: join(packageDir, file),
    format: "esm",
    // Errors have names of their own, so that no stack trace depends on a name that is gone.
    minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  return { name: file, code: output[0].code };
}

/**
 * The declarations of everything that `src/index.ts` exports, with the protocol's types that they reach,
 * in one file. Straight from the sources: there are no declaration files in between.
 */
export async function rollDeclarations(packageDir: string, distDir: string): Promise<Rolled> {
  const bundle = await rollup({
    input: join(packageDir, "src/index.ts"),
    plugins: [
      dts({
        tsconfig: join(packageDir, "tsconfig.json"),
        includeExternal: ["@codex-js/protocol"],
        compilerOptions: {
          // What is marked @internal is for the package itself.
          stripInternal: true,
          // Through node_modules the protocol would be an external library, and for each of those files
          // the plugin starts a compiler of its own: out of memory at some 700 files.
          paths: { "@codex-js/protocol": [fileURLToPath(import.meta.resolve("@codex-js/protocol"))] },
        },
      }) as Plugin,
    ],
    external: isBuiltin,
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    file: join(distDir, "index.d.ts"),
    format: "es",
    // `await using` is younger than the language that users may have set.
    banner: '/// <reference lib="esnext.disposable" />',
  });
  await bundle.close();
  const code = compactDeclarations(output[0].code);
  await writeFile(join(distDir, "index.d.ts"), code);
  return { name: "dist/index.d.ts", code };
}

/** An unresolved or circular import is a warning to both bundlers, and a broken package to users. */
function failOnWarning(level: string, log: { message: string }): void {
  if (level === "warn" || level === "error") throw new Error(log.message);
}
