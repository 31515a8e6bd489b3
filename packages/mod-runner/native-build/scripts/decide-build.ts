/** `dist/state.json`: what the platform packages find of a native build. */
export type NativeState =
  | { version: 1; status: "built" /** An id of targets.json. */; target: string }
  /** `reason` is one line for people. */
  | { version: 1; status: "left-out"; reason: string };

/** Whether what has started turbo has said why nothing is built, in the one line that there is of it. */
export function isToldAlready({ CODEX_JS_NATIVE: inputs }: NodeJS.ProcessEnv): boolean {
  return inputs?.startsWith("skipped:") === true;
}

/**
 * Why nothing is built here; undefined where a build is to be tried. A task of turbo's goes by CODEX_JS_NATIVE
 * alone: its outcome is kept under that value, so it may depend on nothing else of this machine.
 */
export function decideBuild(env: NodeJS.ProcessEnv): string | undefined {
  const { CODEX_JS_NATIVE: inputs, TURBO_HASH: turbo } = env;
  if (inputs === undefined) {
    return turbo === undefined ? undefined : "turbo was not started by a script of package.json (pnpm build)";
  }
  const [kind, detail] = inputs.split(":", 2);
  if (kind === "skipped") return `V8 or Rust is missing (${detail})`;
  if (kind === "unsupported") return `there is no mod runner for ${detail}`;
  if (kind === "binaries") return "other machines have built it";
  return undefined;
}
