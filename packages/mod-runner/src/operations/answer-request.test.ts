import { expect, test } from "vitest";
import type { ModHostEvent } from "../events.ts";
import { answerRequest } from "./answer-request.ts";
import { HostOperationError, type HostOperations } from "./host-operation.ts";

const mod = { name: "any", version: "1.0.0", digest: "d" };

async function answer(
  operation: string,
  operations: HostOperations = {},
  rules: { asks?: string[]; granted?: string[] } = {},
  input: unknown = null,
) {
  const events: ModHostEvent[] = [];
  const reply = await answerRequest(
    { type: "hostRequest", callback: 1, request: 1, operation, input },
    {
      operations,
      asks: new Set(rules.asks ?? [operation]),
      granted: new Set(rules.granted ?? [operation]),
      onEvent: (event) => events.push(event),
    },
    { mod, hook: "main", signal: AbortSignal.abort() },
  );
  return { reply, events };
}

test("a value goes out as JSON, undefined as null, a promise's when it is there", async () => {
  const operations = { a: (input: unknown) => ({ input }), b: () => {}, c: async () => 1 };
  const replies = await Promise.all(["a", "b", "c"].map((name) => answer(name, operations, {}, [2])));
  expect(replies.map(({ reply }) => reply)).toEqual([
    { json: '{"input":[2]}' },
    { json: "null" },
    { json: "1" },
  ]);
});

test.each<[string, { asks?: string[]; granted?: string[] }, string, string]>([
  ["the manifest does not ask for", { asks: [] }, "not-asked", "the mod's manifest does not ask for op"],
  ["the host does not grant", { granted: [] }, "not-granted", "the host does not grant op"],
])("what %s is denied, and both sides are told", async (_, rules, reason, message) => {
  expect(await answer("op", { op: () => 1 }, rules)).toEqual({
    reply: { error: { code: "host_operation_denied", message }, denied: reason },
    events: [{ type: "operation-denied", mod, hook: "main", operation: "op", reason }],
  });
});

test.each(["op", "constructor", "__proto__"])(
  "an operation that the host does not have is denied: %s",
  async (name) => {
    const { reply } = await answer(name, {});
    expect(reply).toMatchObject({
      error: { code: "host_operation_denied", message: `the host does not grant ${name}` },
    });
  },
);

test("a HostOperationError is told to the mod; of any other error only the host learns why", async () => {
  const broken = new Error("/home/secret");
  const operations = {
    known: () => {
      throw new HostOperationError("not_found", "no such branch");
    },
    broken: () => Promise.reject(broken),
    big: () => "x".repeat(9_000_000),
    odd: () => () => {},
    untyped: () => {
      throw new HostOperationError(5 as never, "five");
    },
    // No text can be made of it.
    bare: () => {
      throw new HostOperationError(Object.create(null), "bare");
    },
    hostile: () => JSON.parse('{"__proto__":1}'),
  };
  const results = await Promise.all(Object.keys(operations).map((name) => answer(name, operations)));
  expect(results.map(({ reply }) => "error" in reply && reply.error)).toEqual([
    { code: "not_found", message: "no such branch" },
    { code: "host_operation_failed", message: "broken failed" },
    { code: "host_operation_failed", message: "big failed" },
    { code: "host_operation_failed", message: "odd failed" },
    { code: "5", message: "five" },
    { code: "host_operation_failed", message: "bare failed" },
    { code: "host_operation_failed", message: "hostile failed" },
  ]);
  expect(results[0]!.events).toEqual([
    {
      type: "operation-failed",
      mod,
      hook: "main",
      operation: "known",
      error: expect.any(HostOperationError),
    },
  ]);
  expect(results[1]!.events).toEqual([
    { type: "operation-failed", mod, hook: "main", operation: "broken", error: broken },
  ]);
});

test.each<[string, string, string, string]>([
  ["half characters", "\ud800", "a\udc00", "a\ufffd"],
  ["a character on the cut", `${"c".repeat(126)}😀`, `${"m".repeat(8191)}é`, "m".repeat(8191)],
  ["wide ones", "é".repeat(128), "😀".repeat(9000), "😀".repeat(2048)],
])("what a mod is told is Unicode within the runner's limits: %s", async (_, code, message, told) => {
  const fails = () => {
    throw new HostOperationError(code, message);
  };
  const { reply } = await answer("fails", { fails });
  const { error } = reply as { error: { code: string; message: string } };
  expect(error.message).toBe(told);
  expect(error.code.isWellFormed()).toBe(true);
  expect(Buffer.byteLength(error.code)).toBeLessThanOrEqual(128);
});

test("time.sleep needs no grant, says what it takes, and ends with the callback", async () => {
  const rules = { asks: [], granted: [] };
  const { reply } = await answer("time.sleep", {}, rules, 5);
  expect(reply).toMatchObject({ error: { code: "invalid_input" } });
  expect((await answer("time.sleep", {}, rules, { ms: 0 })).reply).toEqual({ json: "null" });
});
