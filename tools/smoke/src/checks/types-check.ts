import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createMismatch } from "../expect.ts";
import { type Check, type CheckContext, sdkPackage } from "./check.ts";

interface Variant {
  name: string;
  compilerOptions: Record<string, unknown>;
}

/**
 * Type-checks a consumer against the published declarations themselves (`skipLibCheck: false`), with the
 * native TypeScript compiler. The globals that the declarations need (`AbortSignal`) come from @types/node
 * or from the DOM library; a program must get by with either.
 */
export const typesCheck: Check = {
  name: "types",
  needs: [sdkPackage],
  run: async (context) => {
    await context.project.copyFixture("consumer.ts");
    for (const variant of createVariants(context.workspace.typeRoot)) await compile(variant, context);
  },
};

function createVariants(typeRoot: string): Variant[] {
  const resolutions = [
    { name: "nodenext", options: { module: "nodenext", moduleResolution: "nodenext" } },
    { name: "bundler", options: { module: "esnext", moduleResolution: "bundler" } },
  ];
  const globals = [
    { name: "node", options: { lib: ["es2023"], types: ["node"], typeRoots: [typeRoot] } },
    { name: "dom", options: { lib: ["es2023", "dom"], types: [] } },
  ];
  return resolutions.flatMap((resolution) =>
    globals.map((global) => ({
      name: `${resolution.name}-${global.name}`,
      compilerOptions: {
        target: "es2022",
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        noEmit: true,
        ...resolution.options,
        ...global.options,
      },
    })),
  );
}

async function compile(
  { name, compilerOptions }: Variant,
  { project, workspace }: CheckContext,
): Promise<void> {
  const config = join(project.dir, `tsconfig.${name}.json`);
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
  const { exitCode, stdout } = await project.run(
    workspace.node.executable,
    [workspace.tsc, "--project", config, "--pretty", "false"],
    { okExitCodes: "any" },
  );
  if (exitCode === 0) return;
  const errors = stdout.trim().split("\n").slice(0, 20).join("\n");
  throw createMismatch(`a consumer does not compile (${name}):\n${errors}`);
}
