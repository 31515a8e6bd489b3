import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { type FaultRule, startFaultProxy } from "./index.ts";

/** A target that keeps what it is sent, and a proxy before it. */
async function startForTest(rules: FaultRule[], path = "/") {
  const stored: { method: string; url: string; host: string; body: string }[] = [];
  const target = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    stored.push({ method, url, host: headers.host ?? "", body: await readText(request) });
    response.writeHead(201, { "x-target": "yes" }).end("x".repeat(1000));
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const { port } = target.address() as AddressInfo;
  const proxy = await startFaultProxy(`http://127.0.0.1:${port}${path}`, rules);
  onTestFinished(async () => {
    await proxy.close();
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  });
  return { proxy, stored };
}

async function readText(message: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of message) text += String(chunk);
  return text;
}

test("passes on what no rule strikes, with the client's Host header", async () => {
  const { proxy, stored } = await startForTest([], "/base/");
  const response = await fetch(`${proxy.url}@s%2fp?q=1`, { method: "PUT", body: "data" });
  expect([response.status, response.headers.get("x-target"), (await response.text()).length]).toEqual([
    201,
    "yes",
    1000,
  ]);
  expect(stored).toEqual([
    { method: "PUT", url: "/base/@s%2fp?q=1", host: new URL(proxy.url).host, body: "data" },
  ]);
  expect(proxy.requests).toEqual([
    { number: 1, method: "PUT", path: "/base/@s/p?q=1", fault: undefined, status: 201 },
  ]);
});

test("answers for the target, as often as planned", async () => {
  const fault = { status: 503, body: "later", headers: { "retry-after": "1" } } as const;
  const { proxy, stored } = await startForTest([{ match: { path: "^/a$", times: 1 }, fault }]);
  const first = await fetch(`${proxy.url}a`, { method: "PUT", body: "lost" });
  const second = await fetch(`${proxy.url}a`);
  expect([first.status, await first.text(), first.headers.get("retry-after"), second.status]).toEqual([
    503,
    "later",
    "1",
    201,
  ]);
  expect(stored.map(({ method }) => method)).toEqual(["GET"]);
});

test("stores and answers an error all the same", async () => {
  const { proxy, stored } = await startForTest([
    { match: { method: "PUT", path: "." }, fault: { storedButError: 500 } },
  ]);
  const response = await fetch(`${proxy.url}a`, { method: "PUT", body: "kept" });
  expect([response.status, await response.json(), stored[0]?.body]).toEqual([
    500,
    { error: "fault 500", message: "fault 500" },
    "kept",
  ]);
});

test("delays, but passes on", async () => {
  const { proxy } = await startForTest([{ match: { path: "." }, fault: { delayMs: 30 } }]);
  const response = await fetch(`${proxy.url}a`);
  expect([response.status, proxy.requests[0]?.fault]).toEqual([201, "delayMs"]);
});

test("cuts before the target hears of it", async () => {
  const { proxy, stored } = await startForTest([{ match: { path: "." }, fault: { cut: "request" } }]);
  await expect(fetch(`${proxy.url}a`)).rejects.toThrow();
  expect(stored).toEqual([]);
});

test("cuts within the body", async () => {
  const { proxy } = await startForTest([{ match: { path: "." }, fault: { cut: { answerAfterBytes: 10 } } }]);
  const response = await fetch(`${proxy.url}a`);
  const reader = response.body!.getReader();
  expect((await reader.read()).value?.length).toBe(10);
  await expect(reader.read()).rejects.toThrow();
});

test("a target that is gone breaks the connection, and close ends what waits", async () => {
  const { proxy } = await startForTest([{ match: { path: "slow" }, fault: { delayMs: 2 ** 30 } }]);
  await using gone = await startFaultProxy("http://127.0.0.1:1/", []);
  await expect(fetch(gone.url)).rejects.toThrow();
  const waiting = fetch(`${proxy.url}slow`).then(
    () => "answered",
    () => "broken",
  );
  while (proxy.requests.length === 0) await new Promise(setImmediate);
  await proxy.close();
  expect(await waiting).toBe("broken");
});

test("the signal closes it", async () => {
  const abort = new AbortController();
  await using proxy = await startFaultProxy("http://127.0.0.1:1/", [], { signal: abort.signal });
  abort.abort();
  await proxy.close();
  await expect(startFaultProxy("http://127.0.0.1:1/", [], { signal: abort.signal })).rejects.toThrow();
});
