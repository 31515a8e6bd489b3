// A small MCP server on stdio: adds, fails, or asks the user.
import { createInterface } from "node:readline";

const tool = (name: string, properties: object = {}) => ({
  name,
  description: name,
  inputSchema: { type: "object", properties },
});
const number = { type: "number" };
const tools = [tool("add", { a: number, b: number }), tool("fail"), tool("ask")];
let asked: number | undefined;

const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const text = (value: string) => [{ type: "text", text: value }];

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params, result } = JSON.parse(line);
  if (method === "initialize") {
    send({
      id,
      result: {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: "calc", version: "1" },
      },
    });
  } else if (method === "tools/list") send({ id, result: { tools } });
  else if (method === "tools/call") call(id, params.name, params.arguments);
  else if (method === undefined && asked !== undefined) {
    send({ id: asked, result: { content: text(`the user: ${result?.action ?? "error"}`) } });
  } else if (id !== undefined) send({ id, error: { code: -32601, message: "no" } });
});

function call(id: number, name: string, args: { a: number; b: number }): void {
  if (name === "add") {
    const sum = args.a + args.b;
    send({ id, result: { content: text(String(sum)), structuredContent: { sum } } });
  } else if (name === "fail") send({ id, result: { content: text("no luck"), isError: true } });
  else {
    asked = id;
    const requestedSchema = { type: "object", properties: {} };
    send({ id: "q1", method: "elicitation/create", params: { message: "really?", requestedSchema } });
  }
}
