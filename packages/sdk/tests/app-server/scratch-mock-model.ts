// Replace by @codex-js/testkit's mock model once that is there: same idea, less of it.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ScratchModel extends AsyncDisposable {
  configToml(extra?: string): string;
  /** How many requests the engine has made. */
  readonly requests: number;
}

/**
 * Answers by the last user message: `hang` streams a little and never ends, `run CMD` calls the shell
 * tool (with escalation asked for after `run! CMD`), `stream N` sends N deltas, everything else is echoed.
 */
export async function startScratchModel(): Promise<ScratchModel> {
  let requests = 0;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => {
      body += text;
    });
    request.on("end", () => {
      requests++;
      answer(readPrompt(body), requests, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    configToml: (extra = "") => `model = "mock"
model_provider = "mock"
${extra}
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
[otel]
metrics_exporter = "none"
`,
    get requests() {
      return requests;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The text of the last user message; empty when a tool's output came after it. */
function readPrompt(body: string): string {
  const { input } = JSON.parse(body) as { input: { role?: string; content?: { text?: string }[] }[] };
  const last = input.at(-1);
  return last?.role === "user" ? (last.content?.at(-1)?.text ?? "") : "";
}

function answer(prompt: string, number: number, response: ServerResponse): void {
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const id = `item${number}`;
  const message = (text: string) => ({
    item: { type: "message", role: "assistant", id, content: [{ type: "output_text", text }] },
  });
  response.writeHead(200, { "content-type": "text/event-stream" });
  send("response.created", { response: { id: `response${number}` } });
  const [, kind, argument = ""] = /^(hang|run!?|stream)(?: (.*))?$/s.exec(prompt) ?? [];
  if (kind === "hang" || kind === "stream") {
    send("response.output_item.added", { item: { type: "message", role: "assistant", id, content: [] } });
    const count = kind === "hang" ? 1 : Number(argument);
    for (let index = 0; index < count; index++) {
      send("response.output_text.delta", {
        item_id: id,
        output_index: 0,
        content_index: 0,
        delta: `word${index} `,
      });
    }
    if (kind === "hang") return;
    send("response.output_item.done", message(`streamed ${count}`));
  } else if (kind === "run" || kind === "run!") {
    const escalation =
      kind === "run!" ? { sandbox_permissions: "require_escalated", justification: "test" } : {};
    const args = JSON.stringify({ cmd: argument, ...escalation });
    const item = {
      type: "function_call",
      id,
      call_id: `call${number}`,
      name: "exec_command",
      arguments: args,
    };
    send("response.output_item.done", { item });
  } else {
    send("response.output_item.done", message(prompt === "" ? "done" : `echo: ${prompt}`));
  }
  const usage = {
    input_tokens: 10,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 15,
  };
  send("response.completed", { response: { id: `response${number}`, usage } });
  response.end();
}
