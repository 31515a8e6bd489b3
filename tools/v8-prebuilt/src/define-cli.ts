import { type CliContext, Command, resolveUserPath, ToolError, toErrorDocument } from "@codex-js/cli-kit";
import { fetchPrebuilt } from "./fetch/fetch-prebuilt.ts";
import { formatFetchReport } from "./fetch/format-report.ts";
import { createEventView } from "./fetch/show-events.ts";
import { parseLock, readLock, repositoryLockFile, resolveLockFile } from "./lock/read-lock.ts";
import { describeUpdate, summariseUpdate } from "./lock/summarise-update.ts";
import { updateLock } from "./lock/update-lock.ts";
import { formatLock, writeLock } from "./lock/write-lock.ts";
import { runWithNative } from "./run-with-native.ts";
import { resolveMirror } from "./source/asset-source.ts";

interface FetchFlags {
  target?: string[];
  all?: true;
  offline?: true;
  mirror?: string;
  lock?: string;
  json?: true;
}

interface LockFlags {
  mirror?: string;
  lock?: string;
  json?: true;
}

/** The command lines of `pnpm v8:fetch` and `pnpm v8:lock`. */
export function defineCli(context: CliContext): Command {
  const program = new Command("v8")
    .description("The V8 library that the mod runner is linked with")
    // What stands behind the command of `with-native` is that command's.
    .enablePositionalOptions();
  program
    .command("fetch")
    .description(
      "Provides the library and its Rust binding, verified, and says what cargo needs to find them",
    )
    .addOption(
      program
        .createOption("--target <triple...>", "which targets (default: this machine's)")
        .conflicts("all"),
    )
    .option("--all", "every target of the lock")
    .option("--offline", "use the cache, or a mirror's folder, and no network; a mirror's URL is network")
    .option(
      "--mirror <url|dir>",
      "where the files are (default: CODEX_JS_V8_MIRROR, else what the lock says)",
    )
    .option(
      "--lock <file>",
      "what the files are (default: CODEX_JS_V8_LOCK, else the repository's v8.lock.json)",
    )
    .option("--json", "print the report as JSON")
    .action((flags: FetchFlags) => tellAsJson(flags, context, () => runFetch(flags, context)));
  program
    .command("lock")
    .description("Writes v8.lock.json from the checksum files of a release, for review in the diff")
    .argument("<version>", "version of the crate v8, such as 149.2.0")
    .option("--mirror <url|dir>", "where the releases are (default: those of openai/codex)")
    .option("--lock <file>", "the file to write (default: the repository's v8.lock.json)")
    .option("--json", "print what has changed as JSON")
    .action((version: string, flags: LockFlags) =>
      tellAsJson(flags, context, () => runLock(version, flags, context)),
    );
  program
    .command("with-native")
    .description(
      "Runs a command with CODEX_JS_NATIVE set: what a native build here is made from, for turbo's keys",
    )
    .argument("<command...>")
    .option("--strict", "fail where V8 or Rust is missing (default: where CI is set)")
    .passThroughOptions()
    .action((command: string[], flags: { strict?: true }) => runWithNative(command, flags, context));
  return program;
}

/** Who reads JSON gets one document, of the result or of the error in its place. */
async function tellAsJson(
  { json }: { json?: true },
  { stdout }: CliContext,
  action: () => Promise<void>,
): Promise<void> {
  try {
    await action();
  } catch (error) {
    if (json === true && error instanceof ToolError) {
      stdout.write(`${JSON.stringify(toErrorDocument(error), null, 2)}\n`);
    }
    throw error;
  }
}

async function runFetch(flags: FetchFlags, context: CliContext): Promise<void> {
  const { all, target, mirror, offline = false, json } = flags;
  const targets = all === true ? "all" : target;
  const report = await fetchPrebuilt({
    context,
    lock: await readLock(resolveLockFile(context, flags.lock)),
    ...(targets === undefined ? {} : { targets }),
    ...(mirror === undefined ? {} : { mirror }),
    offline,
    onEvent: createEventView(context),
  });
  context.stdout.write(json === true ? `${JSON.stringify(report, null, 2)}\n` : formatFetchReport(report));
}

/** The variables do not count here: what is written is reviewed, and comes from the release. */
async function runLock(version: string, flags: LockFlags, context: CliContext): Promise<void> {
  const file =
    flags.lock === undefined ? repositoryLockFile : resolveUserPath(context.cwd, "--lock", flags.lock);
  const base = flags.mirror === undefined ? undefined : resolveMirror(context, flags.mirror);
  const current = await readLock(file);
  const update = await updateLock({
    context,
    v8: version,
    current,
    ...(base === undefined ? {} : { base }),
  });
  // What is written is read again by the same rules.
  parseLock(formatLock(update.lock), file);
  const changed = await writeLock(file, update.lock);
  const summary = summariseUpdate(current, update, { file, changed });
  context.stdout.write(
    flags.json === true ? `${JSON.stringify(summary, null, 2)}\n` : describeUpdate(summary),
  );
}
