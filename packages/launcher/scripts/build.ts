import { chmod, rm } from "node:fs/promises";
import { build, type Plugin } from "rolldown";

/**
 * `codex.js` is all that a successful start reads. `explain-failure.js` is bundled on its own, with its own
 * copy of the platform table: a chunk that both share would be a second file to read on every start.
 */
const failureModule = "./explain-failure";

const loadFailureModuleAtRunTime: Plugin = {
  name: "load-failure-module-at-run-time",
  resolveId: (id) => (id === `${failureModule}.ts` ? { id: `${failureModule}.js`, external: true } : null),
};

await rm("dist", { recursive: true, force: true });
await bundle("src/codex.ts", "dist/codex.js", [loadFailureModuleAtRunTime]);
await bundle("src/explain-failure.ts", "dist/explain-failure.js", []);
await chmod("dist/codex.js", 0o755);

async function bundle(input: string, file: string, plugins: Plugin[]): Promise<void> {
  await build({
    input,
    plugins,
    platform: "node",
    treeshake: true,
    output: { file, format: "esm", comments: false, codeSplitting: false },
  });
}
