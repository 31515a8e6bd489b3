import { expect, test } from "vitest";
import { limitFetch } from "./limited-fetch.ts";

/** Never answers; ends when it is told to. */
const hang: typeof fetch = (_, init) =>
  new Promise((_resolve, reject) => {
    init?.signal?.addEventListener("abort", () => reject(init.signal!.reason), { once: true });
  });

test("what hangs is announced, then ended with the limit named", async () => {
  const log: string[] = [];
  const limited = limitFetch(hang, (line) => log.push(line), { announceMs: 1, readMs: 50, fileMs: 60_000 });
  await expect(limited("https://registry.example/@fixture%2fcore")).rejects.toThrow(
    "no answer within 0.05 s",
  );
  expect(log).toEqual(["waiting for registry.example (GET /@fixture%2fcore), for 0.05 s at most"]);
});

test.each([
  "https://registry.example/core/-/core-1.0.0.tgz",
  "https://uploads.example/repos/o/n/releases/7/assets?name=x",
])("%s has the time that a file needs", async (url) => {
  const limited = limitFetch(hang, () => {}, { announceMs: 60_000, readMs: 60_000, fileMs: 1 });
  await expect(limited(url)).rejects.toThrow("no answer within 0.001 s");
});

test("a stop of the command goes through", async () => {
  const stop = new AbortController();
  const waiting = limitFetch(hang, () => {})("https://registry.example/", { signal: stop.signal });
  stop.abort(new Error("stopped"));
  await expect(waiting).rejects.toThrow("stopped");
});
