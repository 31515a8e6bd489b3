import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type FaultRule, startFaultProxy } from "@codex-js/testkit/fault-proxy";
import { type Registry, startRegistry } from "@codex-js/testkit/registry";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Manifest } from "../src/pack/manifest.ts";
import { publishPackages } from "../src/publish/publish.ts";
import type { PublishReport } from "../src/publish/publish-report.ts";
import { createRegistryTarget } from "../src/targets/registry-target.ts";
import type { ReleaseTarget } from "../src/targets/target.ts";
import { buildFixture, writeFixtureWorkspace } from "./fixture-workspace.ts";
import { holdTempDir, packFixture } from "./pack-fixture.ts";
import { createTestContext } from "./test-context.ts";

const delaysMs = [1, 1];
const stack = new AsyncDisposableStack();
let manifest: Manifest;
let changed: Manifest;
let tarballsDir: string;
let changedDir: string;
let workDir: string;
let registry: Registry;

beforeAll(async () => {
  workDir = await holdTempDir(stack);
  const fixture = join(workDir, "workspace");
  await writeFixtureWorkspace(fixture);
  buildFixture(fixture);
  ({ manifest, tarballsDir } = await packFixture(fixture, join(workDir, "out")));
  writeFileSync(join(fixture, "packages", "app", "dist", "index.js"), "export const name = 'changed';\n");
  const second = await packFixture(fixture, join(workDir, "changed"));
  changed = second.manifest;
  changedDir = second.tarballsDir;
});

beforeEach(async () => {
  registry = await startRegistry({ storageDir: await holdTempDir(stack), uplink: null });
  stack.use(registry);
});

afterAll(() => stack.disposeAsync());

function createTarget(url: string, signal?: AbortSignal): ReleaseTarget {
  return createRegistryTarget({
    name: "test",
    context: createTestContext(signal),
    registryUrl: url.replace(/\/$/, ""),
    npmrc: registry.npmrc().replaceAll(new URL(registry.url).host, new URL(url).host),
    workDir: join(workDir, "npm"),
    remedy: "publish a new version",
    delaysMs,
  });
}

function publish(
  target: ReleaseTarget,
  options: Partial<Parameters<typeof publishPackages>[0]> = {},
): Promise<PublishReport> {
  return publishPackages({
    context: createTestContext(),
    target,
    manifest,
    tarballsDir,
    delaysMs,
    ...options,
  });
}

function states(report: PublishReport): string[] {
  return report.packages.map(({ name, version, state }) => `${name}@${version} ${state}`);
}

/** Releases through a proxy that misbehaves by plan. */
async function publishThrough(rules: FaultRule[]) {
  const proxy = await startFaultProxy(registry.url, rules);
  stack.use(proxy);
  const outcome = await publish(createTarget(proxy.url)).then(
    (report) => ({ report, error: undefined }),
    (error: Error) => ({ report: undefined, error }),
  );
  const puts = proxy.requests
    .filter(({ method }) => method === "PUT")
    .map(({ path, fault }) => ({ path, fault }));
  return { ...outcome, puts };
}

const app = "/@fixture/app";
const core = "/@fixture/core";

describe("against a registry in good health", () => {
  test("publishes dependencies first, and the second time finds the same bytes", async () => {
    const target = createTarget(registry.url);
    expect(states(await publish(target))).toEqual([
      "@fixture/core@1.0.0 published",
      "@fixture/app@1.0.0 published",
    ]);
    expect(await target.readManifest("@fixture/app", "1.0.0")).toMatchObject({
      dependencies: { "@fixture/core": "^1.0.0" },
      dist: { integrity: manifest.packages[1]!.integrity },
    });
    expect(states(await publish(target))).toEqual([
      "@fixture/core@1.0.0 already-there",
      "@fixture/app@1.0.0 already-there",
    ]);
  });

  test("a version with other bytes stops the release before anything is published", async () => {
    const target = createTarget(registry.url);
    const onlyApp = { ...changed, packages: changed.packages.filter(({ name }) => name === "@fixture/app") };
    await publish(target, { manifest: onlyApp, tarballsDir: changedDir });
    await expect(publish(target)).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_VERSION_CONFLICT",
      exitCode: 1,
      message: expect.stringContaining(onlyApp.packages[0]!.integrity),
    });
    expect(await target.lookup("@fixture/core", "1.0.0")).toBeUndefined();
  });

  test("interrupted between two packages, the next run does the rest", async () => {
    const abort = new AbortController();
    const interrupted = publish(createTarget(registry.url, abort.signal), {
      context: createTestContext(abort.signal),
      onPackage: () => abort.abort(new Error("stopped")),
    });
    await expect(interrupted).rejects.toThrow("stopped");
    const target = createTarget(registry.url);
    expect(await target.lookup("@fixture/app", "1.0.0")).toBeUndefined();
    expect(states(await publish(target))).toEqual([
      "@fixture/core@1.0.0 already-there",
      "@fixture/app@1.0.0 published",
    ]);
  });

  test("a tarball that is not the manifest's is not published", async () => {
    await expect(publish(createTarget(registry.url), { tarballsDir: changedDir })).rejects.toMatchObject({
      code: "CODEX_JS_RELEASE_TARBALL_CHANGED",
      exitCode: 1,
    });
  });
});

describe("against a registry with faults", () => {
  test("two 500s on a publish are overcome", async () => {
    const { report, puts } = await publishThrough([
      { match: { method: "PUT", path: "core", times: 2 }, fault: { status: 500 } },
    ]);
    expect(report && states(report)).toEqual([
      "@fixture/core@1.0.0 published",
      "@fixture/app@1.0.0 published",
    ]);
    expect(puts).toEqual([
      { path: core, fault: "status" },
      { path: core, fault: "status" },
      { path: core, fault: undefined },
      { path: app, fault: undefined },
    ]);
  });

  test("a publish that is stored but answered with an error is not sent again", async () => {
    const { report, puts } = await publishThrough([
      { match: { method: "PUT", path: "core" }, fault: { storedButError: 500 } },
    ]);
    expect(report && states(report)).toEqual([
      "@fixture/core@1.0.0 published",
      "@fixture/app@1.0.0 published",
    ]);
    expect(puts).toEqual([
      { path: core, fault: "storedButError" },
      { path: app, fault: undefined },
    ]);
  });

  test("a registry that keeps answering 500 ends it, and the same release works afterwards", async () => {
    const { error } = await publishThrough([
      { match: { method: "PUT", path: "app" }, fault: { status: 500 } },
    ]);
    expect(error).toMatchObject({
      code: "CODEX_JS_RELEASE_NPM_OUTAGE",
      exitCode: 3,
      message: expect.stringContaining("(E500)"),
      hint: expect.stringContaining("same command"),
    });
    expect(states(await publish(createTarget(registry.url)))).toEqual([
      "@fixture/core@1.0.0 already-there",
      "@fixture/app@1.0.0 published",
    ]);
  });

  test("a refusal is not repeated", async () => {
    const { error, puts } = await publishThrough([
      { match: { method: "PUT", path: "core" }, fault: { status: 403 } },
    ]);
    expect(error).toMatchObject({
      code: "CODEX_JS_RELEASE_NPM_AUTH",
      message: expect.stringContaining("(E403)"),
    });
    expect(puts).toEqual([{ path: core, fault: "status" }]);
  });

  test("look-ups that keep failing end it before anything is published", async () => {
    const { error, puts } = await publishThrough([
      { match: { method: "GET", path: "fixture" }, fault: { status: 503 } },
    ]);
    expect(error).toMatchObject({ code: "CODEX_JS_RELEASE_REGISTRY_FAILED", exitCode: 3 });
    expect(puts).toEqual([]);
  });

  test("connections that break are unreachable, with the host named", async () => {
    const { error } = await publishThrough([
      { match: { method: "GET", path: "fixture" }, fault: { cut: "request" } },
    ]);
    expect(error).toMatchObject({
      code: "CODEX_JS_RELEASE_REGISTRY_UNREACHABLE",
      exitCode: 3,
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ could not be reached in 3 attempts/),
    });
  });

  test("a registry that serves other bytes than it was given is found out", async () => {
    const { error } = await publishThrough([
      { match: { method: "GET", path: "core/-/" }, fault: { status: 200, body: "no tarball" } },
    ]);
    expect(error).toMatchObject({
      code: "CODEX_JS_RELEASE_SERVED_WRONG",
      exitCode: 1,
      message: expect.stringContaining("is 10 B"),
    });
  });
});
