import { once } from "node:events";
import {
  type CliContext,
  Command,
  exitCodes,
  resolveUserPath,
  runCli,
  ToolError,
  withTempDir,
} from "@codex-js/cli-kit";
import { readFaultFile } from "./servers/read-fault-file.ts";
import { startServers } from "./servers/start-servers.ts";

interface ServeOptions {
  stateDir?: string;
  faults?: string;
  repository?: { owner: string; name: string };
  commit?: string[];
  registryPort: number;
  githubPort: number;
  uplink: boolean;
}

const define = (context: CliContext): Command => {
  const program = new Command("testkit").description("Real servers for rehearsals by hand.");
  program
    .command("serve")
    .description(
      "Starts an npm registry and a fake GitHub, prints where they are as JSON, and waits for Ctrl-C.",
    )
    .option("--state-dir <dir>", "keep what is published there (default: a temporary folder)")
    .option("--faults <file>", 'a fault plan as JSON: { "registry": [rules], "github": [rules] }')
    .option("--repository <owner/name>", "the repository that the fake GitHub has", parseRepository)
    .option("--commit <sha...>", "commits that it knows (default: all)")
    .option("--registry-port <number>", "default: a free one", parsePort, 0)
    .option("--github-port <number>", "default: a free one", parsePort, 0)
    .option("--no-uplink", "nothing comes from the registry that npm is configured with")
    .addHelpText("after", help)
    .action((options: ServeOptions) => serve(context, options));
  return program;
};

const help = `
  pnpm --silent testkit serve > servers.json

The registry takes any token; the fake GitHub takes the printed one. What was not as GitHub's OpenAPI
description has it is said at the end.`;

async function serve(context: CliContext, options: ServeOptions): Promise<void> {
  const { stateDir, faults, repository, commit } = options;
  const plan =
    faults === undefined
      ? { registry: [], github: [] }
      : await readFaultFile(resolveUserPath(context.cwd, "--faults", faults));
  const serveFrom = async (dir: string) => {
    await using servers = await startServers(context, {
      stateDir: dir,
      localScopes: ["@codex-js/*"],
      hasUplink: options.uplink,
      ...(repository === undefined ? {} : { repository }),
      ...(commit === undefined ? {} : { commits: commit }),
      faults: plan,
      registryPort: options.registryPort,
      githubPort: options.githubPort,
    });
    context.stdout.write(`${JSON.stringify(servers.report)}\n`);
    if (!context.signal.aborted) await once(context.signal, "abort");
  };
  if (stateDir !== undefined) return serveFrom(resolveUserPath(context.cwd, "--state-dir", stateDir));
  await withTempDir("codex-js-servers", serveFrom);
}

function parseRepository(text: string): { owner: string; name: string } {
  const [, owner, name] = /^([\w.-]+)\/([\w.-]+)$/.exec(text) ?? [];
  if (owner !== undefined && name !== undefined) return { owner, name };
  throw createUsageError(`--repository ${text} is no repository, expected owner/name`);
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw createUsageError(`${text} is no port, expected a number from 0 to 65535`);
}

function createUsageError(message: string): ToolError {
  return new ToolError({
    code: "CODEX_JS_TESTKIT_BAD_OPTION",
    message,
    hint: "leave the option out for its default",
    exitCode: exitCodes.usage,
  });
}

await runCli(define);
