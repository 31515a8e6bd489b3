import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../app-server/engine-fixture.ts";

/** Small, since a test starts many of them: an MCP server without tools that writes down where it runs. */
const program = `
: > "$1/$$"
while read -r line; do
  id=\${line#*'"id":'}
  id=\${id%%[,\\}]*}
  case $line in
    *'"initialize"'*) result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"stub","version":"1"}}' ;;
    *'"tools/list"'*) result='{"tools":[]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$result"
done`;

export interface McpServers {
  /** For `config`, or for a `-c` of its own. */
  config: { mcp_servers: { stub: { command: string; args: string[] } } };
  toml: string;
  /** The processes that were started, in no order. */
  started(): Promise<number[]>;
  running(): Promise<number[]>;
}

/** An MCP server in the engine's configuration, and every process that the engine makes of it. */
export async function createMcpServers(dir: string): Promise<McpServers> {
  const pidDir = join(dir, "mcp-pids");
  await mkdir(pidDir);
  const file = join(dir, "mcp-server.sh");
  await writeFile(file, program);
  const stub = { command: "/bin/sh", args: [file, pidDir] };
  const started = async () => (await readdir(pidDir)).map(Number);
  return {
    config: { mcp_servers: { stub } },
    toml: `mcp_servers.stub={command=${JSON.stringify(stub.command)},args=${JSON.stringify(stub.args)}}`,
    started,
    running: async () => (await started()).filter(isAlive),
  };
}
