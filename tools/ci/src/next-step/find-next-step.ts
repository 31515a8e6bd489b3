import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CliContext, exitCodes, findWorkspaceRoot, runNode, ToolError } from "@codex-js/cli-kit";
import { z } from "zod";
import { addJobSummary, setJobOutputs } from "../job-outputs.ts";
import { decideCurrent, decidePlace, decideRelease, decideVersion, type NextStep } from "./next-step.ts";

const plan = z.object({
  packages: z.array(z.object({ name: z.string(), from: z.string(), to: z.string() })),
});
const status = z.object({
  tag: z.string().nullable(),
  commit: z.string(),
  packages: z.array(z.object({ name: z.string(), version: z.string(), state: z.string() })),
  github: z.array(z.object({ part: z.string(), state: z.string(), message: z.string().optional() })),
});

export interface NextStepOptions {
  /** As `pnpm release` takes them. */
  registry?: string;
  githubApi?: string;
  json?: boolean;
}

/**
 * Asks `pnpm release` what is planned and what is really there, and says what to do: the output `action` of a job.
 * Writes nothing but that.
 * @throws ToolError CODEX_JS_CI_RELEASE_STOPPED (check failed), CODEX_JS_CI_BAD_ANSWER (external)
 */
export async function findNextStep(context: CliContext, options: NextStepOptions): Promise<void> {
  const next = await decide(context, options);
  context.stdout.write(
    options.json === true
      ? `${JSON.stringify({ version: 1, ...next })}\n`
      : `${next.action}: ${next.reason}\n`,
  );
  await setJobOutputs(context, { action: next.action });
  await addJobSummary(context, `**${next.action}**: ${next.reason}`);
  if (next.action !== "stop") return;
  throw new ToolError({
    code: "CODEX_JS_CI_RELEASE_STOPPED",
    message: next.reason,
    hint: "RELEASING.md says what to do about each",
    exitCode: exitCodes.checkFailed,
  });
}

async function decide(context: CliContext, options: NextStepOptions): Promise<NextStep> {
  const elsewhere = decidePlace(context.env, await readPlace(context.cwd));
  if (elsewhere !== undefined) return elsewhere;
  const planned = await askRelease(context, options, ["--dry-run"], plan);
  const version = decideVersion(planned);
  if (version === undefined) return decideRelease(await askRelease(context, options, ["status"], status));
  return decideCurrent(await askRelease(context, options, ["status", "--current"], status)) ?? version;
}

async function readPlace(cwd: string): Promise<{ repository: string; ref: string }> {
  const file = join(findWorkspaceRoot(cwd), "package.json");
  const { repository } = manifest.parse(JSON.parse(await readFile(file, "utf8")));
  return { repository: repository.url.replace(/^.*github\.com\/|\.git$/g, ""), ref: "refs/heads/main" };
}

const manifest = z.object({ repository: z.object({ url: z.string() }) });

async function askRelease<Answer>(
  context: CliContext,
  { registry, githubApi }: NextStepOptions,
  args: readonly string[],
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  const tools = findWorkspaceRoot(import.meta.dirname);
  const target = [
    ...(registry === undefined ? [] : ["--registry", registry]),
    ...(githubApi === undefined ? [] : ["--github-api", githubApi]),
  ];
  const { stdout } = await runNode(
    join(tools, "tools", "release", "src", "cli.ts"),
    ["--to", "npm", ...target, ...args, "--json"],
    {
      cwd: context.cwd,
      // The same program in a process of its own: it reads npm's settings and tokens as it always does.
      env: context.env,
      signal: context.signal,
      // 1: something is there that is not of this release. What that means is decided here.
      okExitCodes: [0, 1],
    },
  );
  try {
    return schema.parse(JSON.parse(stdout));
  } catch (cause) {
    throw new ToolError({
      code: "CODEX_JS_CI_BAD_ANSWER",
      message: `pnpm release ${args.join(" ")} --json printed something else than expected`,
      hint: `pnpm release --to npm ${args.join(" ")} --json`,
      exitCode: exitCodes.external,
      cause,
    });
  }
}
