import { type CliContext, redact } from "@codex-js/cli-kit";
import { resolveUserRegistry } from "@codex-js/testkit/registry";

/** The registry that the user's npm asks, for messages: without credentials, and without ever failing. */
export async function readConfiguredRegistry(context: CliContext, cwd: string): Promise<string> {
  try {
    const { url } = await resolveUserRegistry({ cwd, env: context.env });
    return redact(url);
  } catch {
    return "the registry that npm is configured with";
  }
}
