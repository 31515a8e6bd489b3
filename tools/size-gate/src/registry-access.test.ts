import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { PackedTarball } from "@codex-js/pack";
import { expect, test } from "vitest";
import { checkTarballSizes } from "./check-tarball-sizes.ts";
import { toRegistryAccess } from "./registry-access.ts";

// Guards a gate that asked the general registry about packages whose scope has one of its own.
test("a last release is looked up at the registry of its scope, with that registry's credentials", async () => {
  const seen: (string | undefined)[][] = [];
  const server = createServer(({ url, headers }, response) => {
    seen.push([url, headers.authorization]);
    response.writeHead(404).end("{}");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const registry = toRegistryAccess({
    url: "http://127.0.0.1:9/",
    token: "general",
    scopes: { "@fixture": { url, basicAuth: "c2NvcGU6d29yZA==" } },
  });
  try {
    const report = await checkTarballSizes([tarball("@fixture/a"), tarball("plain")], noBudgets, {
      context: { fetch: globalThis.fetch, signal: new AbortController().signal },
      resolveRegistry: async () => registry,
    });
    expect(report.packages.map(({ lastRelease }) => lastRelease.status)).toEqual([
      "first-release",
      "unknown",
    ]);
    expect(seen).toEqual([["/@fixture%2fa", "Basic c2NvcGU6d29yZA=="]]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

const noBudgets = { version: 1 as const, growthPercent: 10, packages: {}, bundles: [] };

function tarball(name: string): PackedTarball {
  const manifest = { name, version: "1.0.0" };
  return {
    ...manifest,
    file: "",
    filename: "",
    integrity: "",
    sha256: "",
    packedBytes: 1,
    unpackedBytes: 1,
    files: [],
    manifest,
  };
}
