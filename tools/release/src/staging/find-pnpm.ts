import { access, constants } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { type CliContext, exitCodes, ToolError } from "@codex-js/cli-kit";

/**
 * The context with the pnpm that runs this process first on its PATH, so that everything below uses the
 * same one: the install, turbo's tasks, packing. Started without pnpm, the one on the PATH it is.
 * @throws ToolError CODEX_JS_RELEASE_NO_PNPM (usage)
 */
export async function withPnpmOnPath(context: CliContext): Promise<CliContext> {
  const name = Object.keys(context.env).find((key) => key.toLowerCase() === "path") ?? "PATH";
  const folders = (context.env[name] ?? "").split(delimiter).filter((folder) => folder !== "");
  const started = context.env.npm_execpath;
  if (started !== undefined && /^pnpm(\.exe)?$/.test(basename(started))) folders.unshift(dirname(started));
  for (const folder of folders) {
    if (!(await hasPnpm(folder))) continue;
    return { ...context, env: { ...context.env, [name]: folders.join(delimiter) } };
  }
  throw new ToolError({
    code: "CODEX_JS_RELEASE_NO_PNPM",
    message: "there is no pnpm on the PATH, and a release builds with it",
    hint: "npx --yes pnpm release",
    exitCode: exitCodes.usage,
  });
}

async function hasPnpm(folder: string): Promise<boolean> {
  const names = process.platform === "win32" ? ["pnpm.exe", "pnpm.cmd"] : ["pnpm"];
  for (const name of names) {
    const found = await access(join(folder, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
