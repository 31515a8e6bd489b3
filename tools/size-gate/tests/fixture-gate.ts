import { type CliContext, Command, createProgress, runCli } from "@codex-js/cli-kit";
import { listPublicPackages, packPackage } from "@codex-js/pack";
import { measureBundle } from "../src/measure-bundle.ts";

/** Measures the workspace's bundle as a release does: behind a live line, with handlers of its own on the process. */
function define(context: CliContext): Command {
  return new Command("fixture").argument("<outDir>").action(async (outDir: string) => {
    const step = createProgress(context).start("measuring");
    const [pkg] = await listPublicPackages(context.cwd);
    const tarball = await packPackage(pkg!, { root: context.cwd, outDir, context });
    const bundle = { package: tarball.name, import: "{ Codex }", brotliBytes: 200 };
    // All the while, as children that start and end do.
    const busy = setInterval(addAndRemoveHandlers);
    const { measuredBytes } = await measureBundle(bundle, tarball).finally(() => clearInterval(busy));
    step.succeed(`${measuredBytes} B, up to ${process.getMaxListeners()} listeners`);
  });
}

function addAndRemoveHandlers(): void {
  const handlers = Array.from({ length: 4 }, () => () => {});
  for (const handler of handlers) process.on("exit", handler);
  for (const handler of handlers) process.off("exit", handler);
}

await runCli(define);
