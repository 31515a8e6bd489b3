import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin", "tsc");

export const packageDir = join(import.meta.dirname, "..");

/** A user's project in a temp folder. */
export interface TempProject extends AsyncDisposable {
  dir: string;
  write(name: string, text: string | Uint8Array): Promise<void>;
  /** Type-checks every `*.ts` with no types but those of its own packages; what the compiler says. */
  typeCheck(compilerOptions: object): Promise<string>;
}

/** @param packages - where each package that the project has comes from */
export async function createTempProject(packages: Record<string, string>): Promise<TempProject> {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "codex-js-project-")));
  const write = (name: string, text: string | Uint8Array) => writeFile(join(dir, name), text);
  for (const [name, target] of Object.entries(packages)) {
    const link = join(dir, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(await realpath(target), link, "junction");
  }
  await write("package.json", '{"type":"module"}');
  return {
    dir,
    write,
    typeCheck: async (compilerOptions) => {
      const common = { strict: true, noEmit: true, types: [], target: "es2022", lib: ["es2022", "dom"] };
      const tsconfig = { compilerOptions: { ...common, ...compilerOptions }, include: ["*.ts"] };
      await write("tsconfig.json", JSON.stringify(tsconfig));
      return run(process.execPath, [tsc, "-p", dir]).then(
        () => "",
        (error: { stdout: string }) => error.stdout,
      );
    },
    [Symbol.asyncDispose]: () => rm(dir, { recursive: true, force: true, maxRetries: 5 }),
  };
}
