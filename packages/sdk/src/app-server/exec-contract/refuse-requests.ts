import type { AppServerClient } from "../client.ts";

/**
 * Answers the engine's questions as exec does: nobody can be asked. An elicitation is cancelled; what
 * has no handler is refused by the client in the question's own terms.
 */
export function refuseRequests(client: AppServerClient): void {
  client.onServerRequest("mcpServer/elicitation/request", () => ({
    action: "cancel",
    content: null,
    _meta: null,
  }));
}
