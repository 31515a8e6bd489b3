import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { create } from "tar";
import { expect, test } from "vitest";
import { resolveNpmAccess } from "../src/npm/npm-access.ts";
import { createRegistryTarget } from "../src/targets/registry-target.ts";
import { writeJson } from "./fixture-workspace.ts";
import { createTestContext } from "./test-context.ts";

// The real npm, and what it has to find on its way: no CI and no npmjs.com can be had here.
test("in a CI the real npm exchanges the job's identity for a token, and publishes with that alone", () =>
  withTempDir("codex-js-trusted", async (dir) => {
    const seen: string[] = [];
    const server = createServer((request, response) => {
      const asked = `${request.method} ${decodeURIComponent(request.url ?? "").split("?", 1)[0]}`;
      seen.push(`${asked} as ${request.headers.authorization}`);
      const body = answers[asked];
      request.resume().on("end", () => {
        response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
        response.end(JSON.stringify(body ?? {}));
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const env = {
        PATH: process.env.PATH,
        HOME: dir,
        GITHUB_ACTIONS: "true",
        GITHUB_TOKEN: "withheld",
        ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/id?for=job`,
        ACTIONS_ID_TOKEN_REQUEST_TOKEN: "request-token",
      };
      const context = { ...createTestContext(), cwd: dir, env };
      const access = await resolveNpmAccess(context, dir, `${url}/`, ["@fixture/core"]);
      expect(access).toMatchObject({ registryUrl: url, hasCredentials: false, npmrc: `registry=${url}/\n` });
      const target = createRegistryTarget({
        name: "npm",
        context,
        registryUrl: url,
        npmrc: access.npmrc,
        npmEnv: access.npmEnv,
        trusted: true,
        workDir: join(dir, "npm"),
        remedy: "",
      });
      await target.publish({
        name: "@fixture/core",
        version: "1.0.0",
        tag: "latest",
        tarballFile: await packByHand(dir),
      });
      expect(seen.filter((line) => !line.startsWith("GET /@fixture"))).toEqual([
        "GET /id as Bearer request-token",
        "POST /-/npm/v1/oidc/token/exchange/package/@fixture/core as Bearer header.e30.signature",
        "PUT /@fixture/core as Bearer exchanged-token",
      ]);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }));

const answers: Record<string, object> = {
  // Its claims say nothing of a public repository, so npm does not sign.
  "GET /id": { value: "header.e30.signature" },
  "POST /-/npm/v1/oidc/token/exchange/package/@fixture/core": { token: "exchanged-token" },
  "PUT /@fixture/core": {},
};

async function packByHand(dir: string): Promise<string> {
  writeJson(join(dir, "package", "package.json"), { name: "@fixture/core", version: "1.0.0" });
  writeFileSync(join(dir, "package", "index.js"), "");
  const file = join(dir, "core.tgz");
  await create({ gzip: true, file, cwd: dir }, ["package"]);
  return file;
}
