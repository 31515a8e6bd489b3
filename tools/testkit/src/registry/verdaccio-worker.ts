// verdaccio keeps its logger, its authentication cache and its outgoing sockets for the life of a
// process. In a worker each registry has its own, and ending the worker frees all of them.
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { runServer } from "verdaccio";
import { createSingleFlight } from "./single-flight.ts";
import { createTarballCheck } from "./stored-tarballs.ts";
import { watchUplinkFailures } from "./uplink-failures.ts";
import { createUploads } from "./uploads.ts";
import type { WorkerInput, WorkerOutput } from "./worker-messages.ts";

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const { config, host, port } = workerData as WorkerInput;
const report = (message: WorkerOutput) => parentPort?.postMessage(message);
const log = (line: string) => report({ type: "log", line });
const uploads = createUploads(config.storage);

// A disk that fills up reaches verdaccio as an error event that nobody listens to. Downloads go on, past
// the cache. An upload would go on as well, to a version whose tarball is cut off: so the registry ends,
// and the next start removes what is half done.
process.on("uncaughtException", (error) => {
  log(`unexpected: ${error.message}`);
  if (uploads.running > 0) throw error;
});

try {
  const server: Server = await runServer(config as unknown as Parameters<typeof runServer>[0]);
  const [verdaccio] = server.listeners("request") as Listener[];
  server.removeAllListeners("request");
  server.on("request", createListener(verdaccio!));
  server.on("error", reportFailure);
  server.listen(port, host, () =>
    report({ type: "listening", port: (server.address() as AddressInfo).port }),
  );
  parentPort?.once("message", () => {
    server.close(() => report({ type: "closed" }));
    server.closeAllConnections();
  });
} catch (error) {
  reportFailure(error as Error);
}

function reportFailure(error: NodeJS.ErrnoException): void {
  report({ type: "failed", code: error.code, message: error.message });
}

/** Our handling, in front of verdaccio's. */
function createListener(verdaccio: Listener): Listener {
  const failures = watchUplinkFailures(log);
  const waitForTurn = createSingleFlight(config.storage, createTarballCheck(log));
  return async (request, response) => {
    response.once("close", () => log(`${request.method} ${request.url} ${describeEnd(response)}`));
    if (isSecurityReport(request)) return answerNothingFound(request, response);
    if (await uploads.refuse(request, response)) return;
    await waitForTurn(request, response);
    failures.explain(request, response);
    verdaccio(request, response);
  };
}

function describeEnd(response: ServerResponse): string {
  return response.writableFinished ? String(response.statusCode) : "connection closed before the end";
}

/** `npm install` asks for advisories; they are nothing that a rehearsal should leave the machine for. */
function isSecurityReport(request: IncomingMessage): boolean {
  return request.method === "POST" && (request.url ?? "").startsWith("/-/npm/v1/security/");
}

function answerNothingFound(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(200, { "content-type": "application/json" });
  response.end("{}");
}
