import { chmod, readdir } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { listPublicPackages, packTwice } from "../src/index.ts";
import { createContext, writeTree, writeWorkspace } from "./fixture-workspace.ts";

test("the same bytes twice: the tarball lies in outDir", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    const outDir = join(dir, "out");
    const root = join(dir, "workspace");
    await writeWorkspace(root);
    const [alpha] = await listPublicPackages(root);
    const tarball = await packTwice(alpha!, { root, outDir, context: createContext() });
    expect(tarball.file).toBe(join(outDir, "fixture-alpha-1.2.3.tgz"));
    expect(await readdir(outDir)).toEqual([tarball.filename]);
  }));

// A pnpm in front of the real one stands for a build step that writes the time into what is packed.
test.skipIf(process.platform === "win32")("different bytes name the file and the byte", () =>
  withTempDir("codex-js-pack-test", async (dir) => {
    const outDir = join(dir, "out");
    const root = join(dir, "workspace");
    const bin = join(dir, "bin");
    await writeWorkspace(root);
    await writeTree(bin, {
      pnpm: [
        "#!/bin/sh",
        `count=$(ls "${bin}" | wc -l); : > "${bin}/run-$count"`,
        'printf "const x = $count" > dist/alpha.js',
        `PATH=\${PATH#*:} exec pnpm "$@"\n`,
      ].join("\n"),
    });
    await chmod(join(bin, "pnpm"), 0o755);
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}` };
    const [alpha] = await listPublicPackages(root);
    await expect(packTwice(alpha!, { root, outDir, context: createContext(env) })).rejects.toMatchObject({
      code: "CODEX_JS_PACK_NOT_REPRODUCIBLE",
      exitCode: 1,
      message: expect.stringMatching(/dist\/alpha\.js differs at byte 10 /),
    });
    await expect(readdir(outDir)).rejects.toMatchObject({ code: "ENOENT" });
  }),
);
