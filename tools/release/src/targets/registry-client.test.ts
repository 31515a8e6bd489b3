import { expect, test } from "vitest";
import { RegistryClient } from "./registry-client.ts";
import { readRetryAfter } from "./retry-after.ts";

function open(answers: Response[]) {
  const log: string[] = [];
  const fetch = async () => answers.shift() ?? new Response("", { status: 500 });
  const client = new RegistryClient({
    context: { fetch, signal: new AbortController().signal },
    registryUrl: "https://registry.example",
    delaysMs: [1],
    log: (line) => log.push(line),
  });
  return { client, log };
}

test.each([
  "[]",
  "{}",
  '"x"',
  "null",
  "<html>log in</html>",
  '{"name":"other","versions":{}}',
  '{"name":"core","versions":[]}',
])("200 with %s is no package, and never one that is not there", async (body) => {
  const { client } = open([new Response(body)]);
  await expect(client.lookup("core", "1.0.0")).rejects.toMatchObject({
    code: "CODEX_JS_RELEASE_REGISTRY_FAILED",
    exitCode: 3,
  });
});

const limited = (seconds: string) => new Response("", { status: 429, headers: { "retry-after": seconds } });

test("a short pause that the registry asks for is made", async () => {
  const { client, log } = open([limited("1"), new Response('{"name":"core","versions":{}}')]);
  expect(await client.lookup("core", "1.0.0")).toBeUndefined();
  expect(log).toEqual([expect.stringContaining("registry.example asks for a pause of 1")]);
});

test("a long one ends it at once, with its time", async () => {
  const { client, log } = open([limited("3600")]);
  await expect(client.lookup("core", "1.0.0")).rejects.toMatchObject({
    code: "CODEX_JS_RELEASE_NPM_RATE_LIMIT",
    hint: expect.stringMatching(/after (1 h|60 min|3600)/),
  });
  expect(log).toEqual([]);
});

test("Retry-After in seconds, as a date, and as neither", () => {
  const now = new Date("2026-01-01T00:00:00Z");
  const read = (value: string | null) => readRetryAfter(value, now);
  expect([read("7"), read("Thu, 01 Jan 2026 00:00:09 GMT"), read("soon"), read(null)]).toEqual([
    7000,
    9000,
    undefined,
    undefined,
  ]);
});
