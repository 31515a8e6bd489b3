import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build, type Plugin } from "rolldown";

/**
 * `codex.js` is all that a successful start of codex reads. Every file is bundled on its own, with its own
 * copy of what it shares: a common chunk would be a second file to read on every start. What these modules
 * import from each other they load from the file beside them, at run time.
 */
const ownFiles: Record<string, string> = {
  "explain-failure.ts": "./explain-failure.js",
  "command.ts": "./doctor.js",
  "toml-parser.ts": "./toml-parser.js",
};

const loadOwnFilesAtRunTime: Plugin = {
  name: "load-own-files-at-run-time",
  resolveId(id, importer) {
    const file = importer === undefined ? undefined : ownFiles[id.slice(id.lastIndexOf("/") + 1)];
    return file === undefined ? null : { id: file, external: true };
  },
};

/** What is bundled into the parser's file, and so has to be named beside it. */
const bundledPackages = ["toml-eslint-parser", "eslint-visitor-keys"];

await rm("dist", { recursive: true, force: true });
await bundle("src/codex.ts", "dist/codex.js");
await bundle("src/explain-failure.ts", "dist/explain-failure.js");
await bundle("src/codex-js.ts", "dist/codex-js.js");
await bundle("src/doctor/command.ts", "dist/doctor.js");
await bundle("src/doctor/toml-parser.ts", "dist/toml-parser.js", {
  minify: true,
  postBanner: `// ${bundledPackages.join(" and ")}: see toml-parser.LICENSE.txt`,
});
await writeFile("dist/toml-parser.LICENSE.txt", await readNotices());
for (const bin of ["dist/codex.js", "dist/codex-js.js"]) await chmod(bin, 0o755);

async function bundle(input: string, file: string, output: { minify?: boolean; postBanner?: string } = {}) {
  await build({
    input,
    plugins: [loadOwnFilesAtRunTime],
    platform: "node",
    treeshake: true,
    output: { file, format: "esm", comments: false, codeSplitting: false, ...output },
  });
}

async function readNotices(): Promise<string> {
  const parser = createRequire(import.meta.url).resolve("toml-eslint-parser");
  const notices = bundledPackages.map(async (name) => {
    const root = await findPackageRoot(createRequire(parser).resolve(name), name);
    const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
    return `${name} ${version}\n\n${await readFile(join(root, "LICENSE"), "utf8")}`;
  });
  return (await Promise.all(notices)).join(`\n${"-".repeat(80)}\n\n`);
}

async function findPackageRoot(file: string, name: string): Promise<string> {
  for (let dir = dirname(file); dirname(dir) !== dir; dir = dirname(dir)) {
    const text = await readFile(join(dir, "package.json"), "utf8").catch(() => "{}");
    if (JSON.parse(text).name === name) return dir;
  }
  throw new Error(`${name} has no package.json above ${file}`);
}
