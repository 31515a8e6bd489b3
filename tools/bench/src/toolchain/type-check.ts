import { mkdir, rm, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { createChildEnv } from "../child-env.ts";
import { findToolFile } from "./find-tool.ts";
import type { ToolPart, ToolTask } from "./types.ts";

const native = "typescript 7 (native)";
const javascript = "typescript 6 (JavaScript)";

/** Every source of this repository as one program, checked by both compilers. */
export const typeCheck: ToolPart = {
  name: "type check",
  plan: async ({ context }): Promise<ToolTask[]> => {
    const dir = join(context.root, ".bench", "type-check");
    await rm(dir, { recursive: true, force: true });
    await mkdir(dir, { recursive: true });
    const root = relative(dir, context.root).split(sep).join("/");
    const config = {
      extends: `${root}/tsconfig.base.json`,
      include: ["packages", "tools"].flatMap((area) => [
        `${root}/${area}/*/src`,
        `${root}/${area}/*/scripts`,
      ]),
      compilerOptions: { typeRoots: [`${root}/node_modules/@types`] },
    };
    await writeFile(join(dir, "tsconfig.json"), JSON.stringify(config, null, 2));
    const env = createChildEnv(context.env);
    const check = (compiler: string) => ({
      file: process.execPath,
      args: [compiler, "-p", dir],
      cwd: dir,
      env,
      // 1 and 2: it has checked everything and found something.
      okExitCodes: [0, 1, 2],
    });
    return [
      {
        metric: "typeCheckMs",
        label: "type check of this repository as one program",
        sides: [
          { name: native, step: check(findToolFile("typescript", "bin/tsc")) },
          { name: javascript, step: check(findToolFile("@typescript/typescript6", "bin/tsc6")) },
        ],
        comparisons: [{ side: native, baseline: javascript }],
      },
    ];
  },
};
