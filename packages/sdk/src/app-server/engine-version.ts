import { CodexError } from "../errors.ts";

/** The engine's version out of `initialize`'s user agent, `name/0.171.0 (…)`; undefined when it has none. */
export function readEngineVersion(userAgent: string): string | undefined {
  return /\/(\d+\.\d+\.\d+\S*)/.exec(userAgent)?.[1];
}

/** @throws CodexError CODEX_JS_SDK_ENGINE_TOO_OLD */
export function checkEngineVersion(userAgent: string, minimum: string | undefined): void {
  if (minimum === undefined) return;
  const version = readEngineVersion(userAgent);
  // Builds from source call themselves 0.0.0 and are nobody's past.
  if (version?.startsWith("0.0.0")) return;
  if (version !== undefined && compareVersions(version, minimum) >= 0) return;
  throw new CodexError(
    "CODEX_JS_SDK_ENGINE_TOO_OLD",
    `the engine is version ${version ?? `unknown (${userAgent})`}, at least ${minimum} is needed`,
    { hint: "update @openai/codex, or restart the server that still runs the old one" },
  );
}

/** Below zero when `left` is older. Compares major, minor and patch; a pre-release counts as its release. */
export function compareVersions(left: string, right: string): number {
  const [a, b] = [left, right].map((version) => version.split(/[.-]/).slice(0, 3).map(Number));
  for (let index = 0; index < 3; index++) {
    const difference = (a![index] ?? 0) - (b![index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
