import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { canMount } from "@codex-js/testkit/mounts";
import { startRegistry } from "@codex-js/testkit/registry";
import { expect, test } from "vitest";
import { publishWithNpm } from "../src/targets/npm-cli.ts";
import { writeFixtureWorkspace, writeJson } from "./fixture-workspace.ts";
import { runRelease } from "./run-cli.ts";
import { createTestContext } from "./test-context.ts";

test("no network: the registry that was asked is named, and the same command works when it is back", () =>
  withTempDir("codex-js-release-offline", async (base) => {
    const dir = join(base, "ws");
    mkdirSync(dir);
    await writeFixtureWorkspace(dir, { external: true });
    const args = ["--json", "--runtime", "bun", "--registry-dir", join(base, "registry")];
    // Nothing listens on the discard port.
    const offline = await runRelease(dir, args, { npm_config_registry: "http://127.0.0.1:9/" });
    expect([offline.exitCode, JSON.parse(offline.stdout)]).toEqual([
      3,
      expect.objectContaining({
        ok: false,
        packages: [
          expect.objectContaining({ name: "@fixture/core", state: "published" }),
          expect.objectContaining({ name: "@fixture/app", state: "published" }),
        ],
        error: {
          code: "CODEX_JS_RELEASE_UPLINK_FAILED",
          message: expect.stringContaining("http://127.0.0.1:9/external-thing"),
          hint: expect.stringContaining("the same command works afterwards"),
        },
      }),
    ]);

    await using registry = await startRegistry({ storageDir: join(base, "outside"), uplink: null });
    await publishExternalThing(join(base, "thing"), registry.url, registry.npmrc());
    const online = await runRelease(dir, args, { npm_config_registry: registry.url });
    expect([online.exitCode, JSON.parse(online.stdout)]).toEqual([
      0,
      expect.objectContaining({ ok: true, packages: [alreadyThere, alreadyThere] }),
    ]);
  }));

test.each([
  ["does not answer", undefined],
  ["answers 500", 500],
  ["answers 401 and repeats the token", 401],
])("a runtime that has to be fetched, and a registry that %s: nobody blames the packages", (_, status) =>
  withTempDir("codex-js-release-runtime", async (base) => {
    const dir = join(base, "ws");
    mkdirSync(dir);
    await writeFixtureWorkspace(dir);
    const server = createServer((request, response) => {
      response.writeHead(status ?? 200, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: `${request.headers.authorization} is not welcome` }));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const host = status === undefined ? "127.0.0.1:9" : `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const npmrc = join(base, "npmrc");
    writeFileSync(npmrc, `registry=http://${host}/\n//${host}/:_authToken=looks-like-nothing\n`);
    try {
      const result = await runRelease(dir, ["--runtime", "node22"], {
        npm_config_registry: undefined,
        npm_config_userconfig: npmrc,
      });
      expect(result.exitCode).toBe(3);
      expect(result.stderr).toContain(`http://${host}/, which npm is configured with, did not deliver`);
      expect(result.stderr).toContain("CODEX_JS_RELEASE_UPLINK_FAILED");
      expect(result.stderr).toMatch(/fix: .*the same command works afterwards/);
      expect(result.stdout + result.stderr).not.toContain("looks-like-nothing");
      expect(readFileSync(join(dir, ".release", "report.json"), "utf8")).not.toContain("looks-like-nothing");
    } finally {
      server.close();
      server.closeAllConnections();
    }
  }),
);

test("a proxy that is no URL is named, without its password", () =>
  withTempDir("codex-js-release-proxy", async (dir) => {
    await writeFixtureWorkspace(dir);
    const env = {
      HTTPS_PROXY: "me:secret-word@nonsense",
      https_proxy: undefined,
      npm_config_registry: "https://registry.invalid/",
      NO_PROXY: "",
      no_proxy: "",
    };
    const result = await runRelease(dir, ["--runtime", "bun"], env);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain('HTTPS_PROXY is "***@nonsense"');
    expect(result.stderr).not.toContain("secret-word");
  }));

test("a dependency that the lock file does not know is a fault of the workspace", () =>
  withTempDir("codex-js-release-lockfile", async (dir) => {
    await writeFixtureWorkspace(dir);
    const file = join(dir, "packages", "app", "package.json");
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    writeJson(file, { ...manifest, dependencies: { ...manifest.dependencies, "is-number": "7.0.0" } });
    const result = await runRelease(dir, ["--runtime", "bun"]);
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("CODEX_JS_RELEASE_LOCKFILE_STALE");
    expect(result.stderr).toContain("is-number");
    expect(result.stderr).toContain("fix: pnpm install");
  }));

const alreadyThere = expect.objectContaining({ state: "already-there" });

async function publishExternalThing(dir: string, url: string, npmrc: string): Promise<void> {
  writeJson(join(dir, "package.json"), { name: "external-thing", version: "1.0.0", main: "index.js" });
  writeFileSync(join(dir, "index.js"), "");
  const options = {
    context: createTestContext(),
    registryUrl: url.replace(/\/$/, ""),
    workDir: join(dir, "npm"),
    npmrc,
  };
  await publishWithNpm(options, {
    name: "external-thing",
    version: "1.0.0",
    tarballFile: dir,
    tag: "latest",
  });
}

/** A file system of its own needs root; where nobody may mount one, the unit test of the message stands alone. */
const mayMount = process.platform === "linux" && process.getuid?.() === 0 && canMount();

test.skipIf(!mayMount)("a full disk: its folder is named, and with space the same command works", () =>
  withTempDir("codex-js-release-full", async (base) => {
    const dir = join(base, "ws");
    const out = join(base, "out");
    mkdirSync(dir);
    mkdirSync(out);
    await writeFixtureWorkspace(dir);
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=48k", "tmpfs", out]);
    try {
      const args = ["--json", "--runtime", "bun", "--out", out, "--registry-dir", join(base, "registry")];
      const full = await runRelease(dir, args);
      expect(full.exitCode).toBe(3);
      expect(full.stderr).toContain(`no space left on the disk of ${out}`);
      expect(full.stderr).toContain("CODEX_JS_RELEASE_DISK_FULL");
      execFileSync("/bin/mount", ["-o", "remount,size=64m", out]);
      expect(await runRelease(dir, args)).toMatchObject({ exitCode: 0 });
    } finally {
      execFileSync("/bin/umount", [out]);
    }
  }),
);
