import type { CliContext } from "@codex-js/cli-kit";
import { describeUplink, resolveUserRegistry } from "@codex-js/testkit/registry";

/** The registry that the user's npm asks, for messages: without credentials, with the proxy on the way. */
export async function readConfiguredRegistry(context: CliContext, cwd: string): Promise<string> {
  try {
    const uplink = await resolveUserRegistry({ cwd, env: context.env, signal: context.signal });
    return describeUplink(uplink, context.env);
  } catch {
    context.signal.throwIfAborted();
    return "the registry that npm is configured with";
  }
}
