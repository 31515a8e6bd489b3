import { basename, join } from "node:path";
import { type Plugin as BundlePlugin, rolldown } from "rolldown";
import { type Plugin, rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** A file of `dist/`. */
export interface Rolled {
  name: string;
  code: string;
}

/** The command line takes the library from the file beside it: there is one copy of each thing. */
const libraryBeside: BundlePlugin = {
  name: "library-beside",
  resolveId: (id) => (id === "../index.ts" ? { id: "./index.js", external: true } : null),
};

/** A file and what it takes from the workspace as one ES module, readable, for Node 20 and newer. */
export async function rollJavaScript(packageDir: string, input: string, file: string): Promise<Rolled> {
  const bundle = await rolldown({
    cwd: packageDir,
    input,
    plugins: [libraryBeside],
    platform: "node",
    experimental: { attachDebugInfo: "none" },
    tsconfig: false,
    transform: { target: "node20" },
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    file,
    format: "esm",
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  return { name: basename(file), code: output[0].code };
}

/**
 * The declarations of everything that `src/index.ts` exports in one file. Straight from the sources: there
 * are no declaration files in between.
 */
export async function rollDeclarations(packageDir: string, file: string): Promise<Rolled> {
  const bundle = await rollup({
    input: join(packageDir, "src/index.ts"),
    plugins: [
      dts({
        tsconfig: join(packageDir, "tsconfig.json"),
        // What is marked @internal is for the package itself.
        compilerOptions: { stripInternal: true },
      }) as Plugin,
    ],
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    file,
    format: "es",
    // `AsyncDisposable`: no library that a target brings by itself has it.
    banner: '/// <reference lib="esnext.disposable" />',
  });
  await bundle.close();
  return { name: basename(file), code: output[0].code };
}

/** An unresolved or circular import is a warning to both bundlers, and a broken package to users. */
function failOnWarning(level: string, log: { message: string }): void {
  if (level === "warn" || level === "error") throw new Error(log.message);
}
