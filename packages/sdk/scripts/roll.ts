import { join } from "node:path";
import { rolldown } from "rolldown";
import { type Plugin, rollup } from "rollup";
import { dts } from "rollup-plugin-dts";

/** A file of `dist/`. */
export interface Rolled {
  name: string;
  code: string;
}

/** `src/` and what it takes from the workspace as one ES module, readable, for Node 20 and newer. */
export async function rollJavaScript(packageDir: string, distDir: string): Promise<Rolled> {
  const bundle = await rolldown({
    cwd: packageDir,
    input: "src/index.ts",
    platform: "node",
    experimental: { attachDebugInfo: "none" },
    tsconfig: false,
    transform: { target: "node20" },
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({
    file: join(distDir, "index.js"),
    format: "esm",
    comments: { legal: true, annotation: true, jsdoc: false },
  });
  await bundle.close();
  return { name: "index.js", code: output[0].code };
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
        // What is marked @internal is for the package itself.
        compilerOptions: { stripInternal: true },
      }) as Plugin,
    ],
    onLog: failOnWarning,
  });
  const { output } = await bundle.write({ file: join(distDir, "index.d.ts"), format: "es" });
  await bundle.close();
  return { name: "index.d.ts", code: output[0].code };
}

/** An unresolved or circular import is a warning to both bundlers, and a broken package to users. */
function failOnWarning(level: string, log: { message: string }): void {
  if (level === "warn" || level === "error") throw new Error(log.message);
}
