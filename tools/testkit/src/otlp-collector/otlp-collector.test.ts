import { expect, test } from "vitest";
import { startOtlpCollector } from "./index.ts";

const send = (url: string) => fetch(`${url}/v1/metrics`, { method: "POST", body: '{"resourceMetrics":[]}' });

test("takes what is sent, and answers no earlier than it was told to", async () => {
  await using collector = await startOtlpCollector({ delayMs: 200 });
  const startedAt = performance.now();
  const response = await send(collector.url);
  expect([response.status, await response.json(), collector.requests]).toEqual([
    200,
    {},
    [{ path: "/v1/metrics", bodyBytes: 22 }],
  ]);
  // Timers may fire a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(199);
});

test("closing breaks off what still waits, also by signal", async () => {
  const abort = new AbortController();
  await using collector = await startOtlpCollector({ delayMs: 60_000, signal: abort.signal });
  const waiting = send(collector.url).then(
    () => "answered",
    () => "broken off",
  );
  await expect.poll(() => collector.requests.length).toBe(1);
  abort.abort();
  await collector.close();
  expect(await waiting).toBe("broken off");
  await expect(send(collector.url)).rejects.toThrow();
});

test("an exporter's value for config.toml", async () => {
  await using collector = await startOtlpCollector();
  expect(collector.exporterToml("logs")).toBe(
    `{ otlp-http = { endpoint = "${collector.url}/v1/logs", protocol = "json" } }`,
  );
});
