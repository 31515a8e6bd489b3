import { readdir, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ModError } from "../index.ts";
import { compilerOptions, realmTypesName } from "./compiler-options.ts";
import { wantedMajor } from "./find-typescript.ts";
import { makeFolder } from "./make-folder.ts";

/**
 * Writes a mod to start from.
 * @returns what to print
 * @throws ModError invalid_argument where the folder has something in it, no name of a mod, or cannot be written
 */
export async function initMod(path: string, isJson: boolean): Promise<string> {
  const folder = resolve(path);
  const name = basename(folder);
  if (!/^[a-z0-9][a-z0-9._-]{0,127}$/.test(name)) {
    throw new ModError("invalid_argument", `${name} is no name of a mod`, {
      hint: "lower-case letters, digits, and - _ . between them",
    });
  }
  const files = createFiles(name);
  try {
    await writeFiles(folder, files);
  } catch (cause) {
    if (cause instanceof ModError) throw cause;
    throw new ModError("invalid_argument", `no mod can be written there: ${(cause as Error).message}`, {
      hint: "name a folder that is not there yet, where you may write",
      cause,
    });
  }
  if (isJson) return `${JSON.stringify({ version: 1, folder, files: Object.keys(files) }, null, 2)}\n`;
  const quoted = JSON.stringify(path);
  return [
    `wrote ${Object.keys(files).join(", ")} into ${folder}; next:`,
    `  npm install --save-dev @codex-js/mod-runner typescript@${wantedMajor}`,
    `  npx codex-js-mod check ${quoted}`,
    `  npx codex-js-mod run ${quoted} --input '{"name":"you"}'\n`,
  ].join("\n");
}

/** @throws ModError invalid_argument, or the file system's own error */
async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await makeFolder(folder);
  const [found] = await readdir(folder);
  if (found !== undefined) {
    throw new ModError("invalid_argument", `${folder} is not empty: there is ${found}`, {
      hint: "name a folder that is not there yet",
    });
  }
  for (const [file, text] of Object.entries(files)) {
    // Whatever has come meanwhile is somebody's.
    await writeFile(join(folder, file), text, { flag: "wx" });
  }
}

function createFiles(name: string): Record<string, string> {
  const manifest = { name, version: "0.1.0", protocol: "1", hooks: { greet: "main.ts" }, grants: [] };
  const tsconfig = { compilerOptions: { ...compilerOptions, types: [realmTypesName] } };
  return {
    "mod.json": `${JSON.stringify(manifest, null, 2)}\n`,
    "main.ts": mainText,
    "tsconfig.json": `${JSON.stringify(tsconfig, null, 2)}\n`,
  };
}

const mainText = `import type { Hook } from "@codex-js/mod-runner/mod";

interface Input {
  name?: string;
}

const greet: Hook<Input | null, { text: string }> = async (input, host) => {
  // Whatever else a mod wants from outside it asks of its host, and names in "grants" of mod.json.
  await host.call("time.sleep", { ms: 1 });
  return { text: \`Hello, \${input?.name ?? "world"}!\` };
};

export default greet;
`;
