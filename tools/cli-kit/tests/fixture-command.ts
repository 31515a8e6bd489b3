import { writeFileSync } from "node:fs";
import { type CliContext, Command, createProgress, runCli, runNode, withTempDir } from "../src/index.ts";

/** A tool like those of this repository: a step with a child, a temp folder, and `marker` written when it has cleaned up. */
function define(context: CliContext): Command {
  const program = new Command("fixture");
  program.command("work <marker>").action((marker: string) => work(context, marker, async () => {}));
  // As a package manager does with a Ctrl-C that the terminal has sent to everybody already.
  program.command("signalled-twice <marker>").action((marker: string) =>
    work(context, marker, async () => {
      process.kill(process.pid, "SIGINT");
      await new Promise((resolve) => setImmediate(resolve));
    }),
  );
  program.command("stuck").action(async () => {
    createProgress(context).start("stuck");
    context.stderr.write("ready\n");
    await new Promise((resolve) => setTimeout(resolve, 600_000));
  });
  program.command("steps").action(() => {
    const progress = createProgress(context);
    const outer = progress.start("outer");
    const inner = progress.start("inner");
    inner.update("\u001b[31mred\u001b[39m\nlines");
    context.stderr.write("a line between\n");
    inner.succeed("done");
    context.stdout.write("a result\n");
    outer.succeed();
  });
  return program;
}

async function work(context: CliContext, marker: string, whenStopped: () => Promise<void>): Promise<void> {
  const step = createProgress(context).start("working");
  await withTempDir("codex-js-cli-test", async (dir) => {
    const script = `${dir}/child.mjs`;
    writeFileSync(script, "console.log(process.pid); setInterval(() => {}, 1000);");
    try {
      await runNode(script, [], {
        cwd: dir,
        env: context.env,
        signal: context.signal,
        onLine: (pid) => context.stderr.write(`ready ${dir} ${pid}.\n`),
      });
    } catch (error) {
      await whenStopped();
      step.fail();
      // What a command makes of it on the way is not what the user is told.
      throw new Error("something else", { cause: error });
    } finally {
      writeFileSync(marker, "cleaned up");
    }
  });
}

await runCli(define);
