import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { createVerdaccioConfig } from "./verdaccio-config.ts";
import { waitUntilListening } from "./worker-thread.ts";

// Guards a start that never came to an end.
test("a worker that hangs is ended at the deadline", async () => {
  const worker = new Worker("for (;;) {}", { eval: true });
  const exited = once(worker, "exit");
  const config = createVerdaccioConfig({ storageDir: "storage", uplink: null, localScopes: [] });
  await expect(waitUntilListening(worker, { config, host: "127.0.0.1", port: 0 }, 50)).rejects.toMatchObject({
    code: "CODEX_JS_REGISTRY_START_FAILED",
    message: expect.stringContaining("not up within 50 ms"),
  });
  await exited;
});
