import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface LoopbackModel {
  /** `http://127.0.0.1:PORT/v1`. */
  baseUrl: string;
  close(): Promise<void>;
}

/**
 * A model that answers every prompt with one word at once, as the Responses API would: what a turn takes on
 * it is the engine's own time, and no token of anybody is spent.
 */
export async function startLoopbackModel(): Promise<LoopbackModel> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => {
      if (request.method === "POST" && request.url?.endsWith("/responses")) return answer(response);
      response.writeHead(404, { "content-type": "application/json" }).end("{}");
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(response: ServerResponse): void {
  const content = [{ type: "output_text", text: "done", annotations: [] }];
  const item = { type: "message", id: "item_1", role: "assistant", status: "completed", content };
  const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 };
  const events = [
    { type: "response.created", response: { id: "resp_1", status: "in_progress" } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: "resp_1", status: "completed", output: [item], usage } },
  ];
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}
