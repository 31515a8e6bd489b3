import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findCodexHome } from "../../exec/environment.ts";

/**
 * Whose login the engine's CODEX_HOME has now: a key, or a user and an account. Undefined where there is
 * none in a file. Tokens that were only refreshed are the same login.
 */
export function readStoredLogin(env: Readonly<Record<string, string>>): string | undefined {
  try {
    const { OPENAI_API_KEY, tokens } = JSON.parse(
      readFileSync(join(findCodexHome(env), "auth.json"), "utf8"),
    );
    const claims = tokens?.id_token && Buffer.from(tokens.id_token.split(".")[1], "base64url").toString();
    return JSON.stringify([OPENAI_API_KEY, tokens?.account_id, claims && JSON.parse(claims).sub]);
  } catch {
    return undefined;
  }
}
