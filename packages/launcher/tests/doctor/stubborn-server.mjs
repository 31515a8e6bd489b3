// An MCP server without tools that stays for a while when it is told to go.
// Arguments: milliseconds to stay, "true" to answer nothing, a file for its pid (or an empty text).
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , stopMs, silent, pidFile] = process.argv;
if (pidFile !== "") appendFileSync(pidFile, `${process.pid}\n`);
// Whatever happens to the test, this does not stay for ever.
setTimeout(() => process.exit(1), 60_000);

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(0), Number(stopMs));
}
process.on("SIGTERM", stop);

const results = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "stubborn", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [] }),
};

createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (silent === "true" || id === undefined) return;
    const result = results[method]?.(params) ?? {};
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  })
  .on("close", stop);
