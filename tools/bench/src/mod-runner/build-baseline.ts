import { join } from "node:path";
import { rolldown } from "rolldown";

/**
 * Bundles the baseline into one CommonJS file, which Node starts fastest.
 * @returns its absolute path, in `dir`
 */
export async function buildBaseline(dir: string): Promise<string> {
  const file = join(dir, "node-runner.cjs");
  const bundle = await rolldown({
    input: join(import.meta.dirname, "baseline", "main.ts"),
    platform: "node",
    logLevel: "silent",
  });
  await bundle.write({ file, format: "cjs", minify: false });
  await bundle.close();
  return file;
}
