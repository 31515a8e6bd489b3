import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PublicPackage } from "./types.ts";

/** A package that nobody can pack here: its build has said so. */
export interface LeftOut {
  name: string;
  version: string;
  /** One line for people. */
  reason: string;
}

/**
 * Why a platform package is not packed, in the words of `build.json`, which its build writes last; undefined for
 * one that was built, and for a package that is for every platform.
 * @throws ToolError CODEX_JS_PACK_NOT_BUILT (usage) when nothing has been built, or something else than that
 */
export async function findLeftOut({
  name,
  version,
  dir,
  manifest,
}: PublicPackage): Promise<LeftOut | undefined> {
  if ((manifest.os ?? manifest.cpu) === undefined) return undefined;
  const file = join(dir, "build.json");
  const text = await readFile(file, "utf8").catch(() => "");
  const { status, reason } = parse(text);
  if (status === "built") return undefined;
  if (status === "left-out" && typeof reason === "string") return { name, version, reason };
  throw new ToolError({
    code: "CODEX_JS_PACK_NOT_BUILT",
    message: `${name}: ${file} ${text === "" ? "is not there" : "does not say what was built"}`,
    hint: "run pnpm build",
    exitCode: exitCodes.usage,
  });
}

function parse(text: string): { status?: unknown; reason?: unknown } {
  try {
    return JSON.parse(text) ?? {};
  } catch {
    return {};
  }
}
