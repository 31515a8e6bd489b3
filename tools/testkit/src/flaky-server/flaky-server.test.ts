import { get } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { type FlakyFile, startFlakyServer } from "./index.ts";

const content = Buffer.from("0123456789");

async function startForTest(file: Omit<FlakyFile, "content">) {
  const server = await startFlakyServer({ files: { "/file": { content, ...file } } });
  onTestFinished(() => server.close());
  return { server, url: `${server.url}file` };
}

test("serves the whole, a range, and 416 behind its end", async () => {
  const { server, url } = await startForTest({ etag: '"a"' });
  const whole = await fetch(url);
  const rest = await fetch(url, { headers: { range: "bytes=4-", "if-range": '"a"' } });
  const changed = await fetch(url, { headers: { range: "bytes=4-", "if-range": '"b"' } });
  const behind = await fetch(url, { headers: { range: "bytes=10-" } });
  const nothing = await fetch(`${server.url}other`);
  expect([whole.status, await whole.text(), whole.headers.get("etag")]).toEqual([200, "0123456789", '"a"']);
  expect([rest.status, await rest.text(), rest.headers.get("content-range")]).toEqual([
    206,
    "456789",
    "bytes 4-9/10",
  ]);
  expect([changed.status, await changed.text()]).toEqual([200, "0123456789"]);
  expect([behind.status, nothing.status]).toEqual([416, 404]);
  expect(server.requests.map(({ range, ifRange }) => [range, ifRange])).toEqual([
    [undefined, undefined],
    ["bytes=4-", '"a"'],
    ["bytes=4-", '"b"'],
    ["bytes=10-", undefined],
    [undefined, undefined],
  ]);
});

test("answers in the order of its plan, the last answer for ever", async () => {
  const { server, url } = await startForTest({
    behaviours: [
      { type: "status", status: 502, headers: { "retry-after": "1" } },
      { type: "truncate", bytes: 3 },
      { type: "redirect", location: "/elsewhere" },
      { type: "serve" },
    ],
    acceptsRanges: false,
  });
  const answers = [];
  for (let index = 0; index < 5; index++) {
    const response = await fetch(url, { redirect: "manual", headers: { range: "bytes=5-" } });
    answers.push([response.status, await response.text()]);
  }
  expect(answers).toEqual([
    [502, ""],
    [200, "012"],
    [302, ""],
    [200, "0123456789"],
    [200, "0123456789"],
  ]);
  expect(server.requests.map(({ behaviour }) => behaviour)).toEqual([
    "status",
    "truncate",
    "redirect",
    "serve",
    "serve",
  ]);
});

test("cuts where it is told to", async () => {
  const { url } = await startForTest({ behaviours: [{ type: "cut", afterBytes: 4 }] });
  const [text, error] = await readUntilBroken(url);
  expect([text, error?.message]).toEqual(["0123", "aborted"]);
});

test("stalls with the connection open, until it is closed", async () => {
  const { server, url } = await startForTest({ behaviours: [{ type: "stall", afterBytes: 4 }] });
  const reading = readUntilBroken(url, () => void server.close());
  expect((await reading)[0]).toBe("0123");
});

function readUntilBroken(url: string, onData = () => {}): Promise<[string, Error | undefined]> {
  return new Promise((resolve) => {
    get(url, (response) => {
      let text = "";
      let failure: Error | undefined;
      response.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        onData();
      });
      response.on("error", (error) => {
        failure = error;
      });
      response.on("close", () => resolve([text, failure]));
    });
  });
}
