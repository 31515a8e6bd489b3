import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { MockModel } from "@codex-js/testkit/mock-model";
import { CodexClient, type CodexClientOptions } from "../../src/index.ts";
import { createFixture } from "../app-server/engine-fixture.ts";

export interface ClientFixture extends AsyncDisposable {
  workDir: string;
  homeDir: string;
  model: MockModel;
  /** For every client of this home. */
  options: { env: Record<string, string>; codexPathOverride: string };
  createClient(options?: CodexClientOptions): CodexClient;
  startThread(client: CodexClient, params?: object): Promise<string>;
}

/** Public clients of the real engine with a mock model and, where wanted, an MCP server that asks. */
export async function createClientFixture({ withMcp = false } = {}): Promise<ClientFixture> {
  const server = fileURLToPath(new URL("../transports/mcp-server.ts", import.meta.url));
  const mcp = `[mcp_servers.calc]\ncommand = ${JSON.stringify(process.execPath)}\nargs = [${JSON.stringify(server)}]\n`;
  const base = await createFixture(withMcp ? mcp : "");
  const { file, env } = base.command();
  const options = { codexPathOverride: file, env: env as Record<string, string> };
  const clients: CodexClient[] = [];
  return {
    workDir: base.workDir,
    homeDir: join(base.dir, "home"),
    model: base.model,
    options,
    createClient: (more = {}) => {
      const client = new CodexClient({ ...options, ...more });
      clients.push(client);
      return client;
    },
    startThread: async (client, params = {}) => {
      const { thread } = await client.threads.start({
        cwd: base.workDir,
        approvalPolicy: "never",
        ...params,
      });
      return thread.id;
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await base[Symbol.asyncDispose]();
    },
  };
}
