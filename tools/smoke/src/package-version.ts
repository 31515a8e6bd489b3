import { exitCodes, ToolError } from "@codex-js/cli-kit";
import type { PackageVersion } from "./types.ts";

/**
 * Parses `@scope/name@1.2.3`.
 * @throws ToolError CODEX_JS_SMOKE_BAD_PACKAGE (usage)
 */
export function parsePackageVersion(text: string): PackageVersion {
  const [, name, version] = /^((?:@[\w.~-]+\/)?[\w.~-]+)@(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(text) ?? [];
  if (name !== undefined && version !== undefined) return { name, version };
  throw new ToolError({
    code: "CODEX_JS_SMOKE_BAD_PACKAGE",
    message: `${text} is not NAME@VERSION with an exact version`,
    hint: "for example --package @codex-js/sdk@1.0.0",
    exitCode: exitCodes.usage,
  });
}
