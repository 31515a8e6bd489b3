import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createModHost, HostOperationError } from "../src/index.ts";
import { createFakeRunner } from "./fake-runner/create.ts";
import type { FakeStep } from "./fake-runner/plan.ts";
import { createTempDir } from "./temp-dir.ts";

const schema = JSON.parse(readFileSync(new URL("../protocol/messages.schema.json", import.meta.url), "utf8"));
const ajv = new Ajv2020({ strict: false });
ajv.addSchema(schema);
const isHostMessage = ajv.compile({ $ref: `${schema.$id}#/$defs/HostMessage` });

const ask = (operation: string): FakeStep[] => [
  { line: { type: "hostRequest", callback: "$ID", request: "$REQUEST", operation, input: [1] } },
  { read: "hostReply" },
];
const caches = { type: "caches", id: "$ID", caches: { "main.ts": "AAAA", "not-its-own.ts": "AAAA" } };

test("every line of the host's is one of the protocol's", async () => {
  const dir = createTempDir();
  const [journal, started] = [join(dir, "journal"), join(dir, "started")];
  const runnerPath = createFakeRunner(dir, {
    journal,
    turns: [
      [...ask("value"), ...ask("fails"), ...ask("denied"), { line: caches }, { answer: 1 }],
      [{ touch: started }, { read: "cancel" }, { error: { code: "mod_cancelled", message: "x" } }],
      [{ answer: 1 }],
    ],
  });
  const abort = new AbortController();
  {
    await using host = createModHost({
      runnerPath,
      pool: { spare: 0 },
      grants: ["value", "fails"],
      operations: {
        value: (input) => ({ input }),
        fails: () => {
          throw new HostOperationError("", "x".repeat(9000));
        },
      },
    });
    const manifest = {
      name: "any",
      version: "1.0.0",
      protocol: "1",
      hooks: { main: "main.ts" },
      grants: ["value", "fails"],
    };
    const mod = await host.load({ files: { "mod.json": JSON.stringify(manifest), "main.ts": "1" } });
    await mod.run("main", { a: "\u2028\n" });
    const cancelled = mod.run("main", null, { signal: abort.signal, budgetMs: 600_000 });
    while (!existsSync(started)) await sleep(5);
    abort.abort();
    await expect(cancelled).rejects.toMatchObject({ code: "mod_cancelled" });
    await using server = await mod.serve();
    await server.render("main", undefined);
    // Another runner for the same mod: the first is the server's. It is sent the compiled code.
    await mod.run("main", null);
  }
  const lines = readFileSync(journal, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(lines.filter((line) => !isHostMessage(line))).toEqual([]);
  expect(lines.map(({ type }) => type)).toEqual([
    "hello",
    "callback",
    "hostReply",
    "hostReply",
    "hostReply",
    "callback",
    "cancel",
    "load",
    "render",
    "hello",
    "callback",
    "hostReply",
    "hostReply",
    "hostReply",
  ]);
  const callbacks = lines.filter(({ type }) => type === "callback");
  expect(callbacks.map(({ modules, caches, wantCaches }) => ({ modules, caches, wantCaches }))).toEqual([
    { modules: { "main.ts": "1" }, wantCaches: true },
    {},
    { modules: { "main.ts": "1" }, caches: { "main.ts": "AAAA" }, wantCaches: true },
  ]);
  expect(
    lines
      .filter(({ type }) => type === "hostReply")
      .slice(0, 3)
      .map(({ value, error }) => value ?? error.code),
  ).toEqual([{ input: [1] }, "host_operation_failed", "host_operation_denied"]);
});

test("a host that keeps no compiled code has none made", async () => {
  const dir = createTempDir();
  const journal = join(dir, "journal");
  const runnerPath = createFakeRunner(dir, { journal, turns: [[{ answer: 1 }]] });
  {
    await using host = createModHost({ runnerPath, pool: { spare: 0 }, limits: { codeCacheBytes: 0 } });
    const manifest = { name: "any", version: "1.0.0", protocol: "1", hooks: { main: "main.ts" } };
    const mod = await host.load({ files: { "mod.json": JSON.stringify(manifest), "main.ts": "1" } });
    await mod.run("main", null);
  }
  const [hello, callback] = readFileSync(journal, "utf8")
    .split("\n", 2)
    .map((line) => JSON.parse(line));
  expect(hello).toEqual({ type: "hello", protocolVersion: 1 });
  expect(isHostMessage(hello)).toBe(true);
  expect(callback).toMatchObject({ type: "callback" });
  expect(callback).not.toHaveProperty("wantCaches");
});
