import { join } from "node:path";
import { exitCodes, ToolError } from "@codex-js/cli-kit";
import { type FaultProxy, type FaultRule, startFaultProxy } from "@codex-js/testkit/fault-proxy";
import { type Registry, startRegistry } from "@codex-js/testkit/registry";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { publishPackages } from "../src/publish/publish.ts";
import { verifyDistTags } from "../src/publish/verify-dist-tags.ts";
import { PublishError } from "../src/targets/publish-error.ts";
import { createRegistryTarget } from "../src/targets/registry-target.ts";
import type { ReleaseTarget } from "../src/targets/target.ts";
import { buildFixture } from "./fixture-workspace.ts";
import { holdTempDir, type PackedFixture, packFixture } from "./pack-fixture.ts";
import { writeReleaseWorkspace } from "./release-workspace.ts";
import { createTestContext } from "./test-context.ts";

// Faults of published releases elsewhere, one test for each, on a real registry and the real npm. The address
// above each test is where it happened.

const stack = new AsyncDisposableStack();
let packed: PackedFixture;
let workDir: string;
let registry: Registry;

beforeAll(async () => {
  workDir = await holdTempDir(stack);
  const dir = join(workDir, "workspace");
  await writeReleaseWorkspace(dir);
  buildFixture(dir, ["app", "core", "tool"]);
  packed = await packFixture(dir, join(workDir, "out"));
});

beforeEach(async () => {
  registry = await startRegistry({ storageDir: await holdTempDir(stack), uplink: null });
  stack.use(registry);
});

afterAll(() => stack.disposeAsync());

const tool = "/@fixture/tool";
const platforms = ["/@fixture/tool-darwin-arm64", "/@fixture/tool-linux-x64", "/@fixture/tool-win32-x64"];

function createTarget(url: string): ReleaseTarget {
  return createRegistryTarget({
    name: "npm",
    context: createTestContext(),
    registryUrl: url.replace(/\/$/, ""),
    npmrc: registry.npmrc().replaceAll(new URL(registry.url).host, new URL(url).host),
    workDir: join(workDir, "npm"),
    remedy: "publish a new version",
    delaysMs: [1, 1],
  });
}

/** Publishes through a proxy with faults; a package that stays hidden is given up at once. */
async function publishThrough(
  rules: FaultRule[],
  { timeoutMs = 0, wrap = (target: ReleaseTarget) => target } = {},
) {
  const proxy = await startFaultProxy(registry.url, rules);
  stack.use(proxy);
  const outcome = await publishPackages({
    context: createTestContext(),
    target: wrap(createTarget(proxy.url)),
    ...packed,
    delaysMs: [1, 1],
    visibility: { timeoutMs, pollDelaysMs: [1] },
  }).then(
    (report) => ({ report, error: undefined }),
    (error: Error) => ({ report: undefined, error }),
  );
  return { ...outcome, proxy, puts: listPuts(proxy) };
}

function listPuts({ requests }: FaultProxy): string[] {
  return requests.filter(({ method }) => method === "PUT").map(({ path }) => path);
}

/** Everything that was published, when nothing is in the way any more. */
async function resume() {
  const { report, error, puts } = await publishThrough([]);
  expect(error).toBeUndefined();
  expect(report?.packages).toHaveLength(6);
  return puts;
}

const long = 600_000;

// https://github.com/openai/codex/issues/17423
test("a platform package that does not appear: its root is not published, and the next run does the rest", async () => {
  const { error, puts } = await publishThrough([
    { match: { method: "GET", path: "^/@fixture/tool-win32-x64$" }, fault: { invisibleForPolls: 1000 } },
  ]);
  expect(error).toMatchObject({
    code: "CODEX_JS_RELEASE_NOT_VISIBLE",
    exitCode: 3,
    message: expect.stringContaining("@fixture/tool-win32-x64@1.0.0: the packument does not list it"),
    hint: expect.stringContaining("the same command again later"),
  });
  expect(puts.toSorted()).toEqual(platforms);
  expect(await resume()).toEqual(["/@fixture/core", "/@fixture/app", tool]);
});

// https://github.com/openai/codex/issues/19419
test("a packument that lists a version whose tarball is not there yet: waited for", async () => {
  const { report, proxy } = await publishThrough(
    [{ match: { method: "HEAD", path: "tool-linux-x64/-/", nth: 1, times: 3 }, fault: { status: 404 } }],
    { timeoutMs: long },
  );
  expect(report?.packages).toHaveLength(6);
  const heads = proxy.requests.filter(({ method, path }) => method === "HEAD" && /tool-linux-x64/.test(path));
  expect(heads.slice(0, 4).map(({ status }) => status)).toEqual([404, 404, 404, 200]);
  const root = proxy.requests.find(({ method, path }) => method === "PUT" && path === tool)!;
  expect(root.number).toBeGreaterThan(heads[3]!.number);
});

// https://github.com/openai/codex-action/issues/158
test("platform packages that appear one after the other: the root comes after the last", async () => {
  const late = (path: string, polls: number): FaultRule => ({
    match: { method: "GET", path: `^${path}$` },
    fault: { invisibleForPolls: polls },
  });
  const { report, puts } = await publishThrough([late(platforms[0]!, 3), late(platforms[1]!, 9)], {
    timeoutMs: long,
  });
  expect(report?.packages).toHaveLength(6);
  expect(puts.slice(0, 3).toSorted()).toEqual(platforms);
  expect(puts.slice(3)).toEqual(["/@fixture/core", "/@fixture/app", tool]);
});

// senpi#1831: a release that could not go on after 2 of 5 packages.
test("a refusal in the middle: the next run publishes what is missing and nothing else", async () => {
  const { error, puts } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/app$" }, fault: { status: 400 } },
  ]);
  expect(error).toMatchObject({ code: "CODEX_JS_RELEASE_PUBLISH_FAILED", exitCode: 3 });
  expect(puts).toHaveLength(5);
  expect(await resume()).toEqual(["/@fixture/app", tool]);
});

// https://github.com/lerna/lerna/issues/4016
test("a conflict of two writes (E409) is tried again", async () => {
  const { report, puts } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/core$", nth: 1 }, fault: { status: 409 } },
  ]);
  expect(report?.packages).toHaveLength(6);
  expect(puts.filter((path) => path === "/@fixture/core")).toHaveLength(2);
});

test("a conflict that goes on ends with a code of its own", async () => {
  const { error } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { status: 409 } },
  ]);
  expect(error).toMatchObject({ code: "CODEX_JS_RELEASE_NPM_CONFLICT", exitCode: 3 });
});

// https://github.com/npm/cli/issues/8976
test("a 404 to a publish is a matter of rights, and is not repeated", async () => {
  const { error, puts } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { status: 404 } },
  ]);
  expect(error).toMatchObject({
    code: "CODEX_JS_RELEASE_NPM_AUTH",
    exitCode: 2,
    message: expect.stringContaining("does not let this release publish"),
    hint: expect.stringContaining("trusted publisher"),
  });
  expect(puts.filter((path) => path === "/@fixture/core")).toHaveLength(1);
});

// https://github.com/npm/cli/issues/8976
test("a 422 names the repository field and shows what the registry said", async () => {
  const said = 'package.json: "repository.url" is "", expected to match "https://github.com/fixture/fixture"';
  const { error } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { status: 422, body: { error: said } } },
  ]);
  expect(error).toMatchObject({
    code: "CODEX_JS_RELEASE_REPOSITORY_FIELD",
    exitCode: 2,
    message: expect.stringContaining(said),
    hint: expect.stringContaining("repository.url"),
  });
});

// MJ#3507: the step was green and nothing had been published.
test("a registry that says 200 and stores nothing does not make a release", async () => {
  const { error, report } = await publishThrough([
    { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { status: 200, body: {} } },
  ]);
  expect(report).toBeUndefined();
  expect(error).toMatchObject({
    code: "CODEX_JS_RELEASE_NOT_VISIBLE",
    message: expect.stringContaining("@fixture/core@1.0.0"),
  });
});

test("a version that is staged: the duplicate's refusal is waited for, and published once", async () => {
  const body = { error: "You cannot publish over the previously published versions: 1.0.0." };
  const { report, puts } = await publishThrough(
    [
      { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { storedButError: 403, body } },
      { match: { method: "GET", path: "^/@fixture/core$" }, fault: { invisibleForPolls: 3 } },
    ],
    { timeoutMs: long },
  );
  expect(report?.packages).toHaveLength(6);
  expect(puts.filter((path) => path === "/@fixture/core")).toHaveLength(1);
});

test("a rate limit and an outage are waited out, each with a code of its own when they last", async () => {
  const once = (status: number): FaultRule => ({
    match: { method: "PUT", path: "^/@fixture/core$", nth: 1 },
    fault: { status },
  });
  expect((await publishThrough([once(429)])).report?.packages).toHaveLength(6);
  const always = (status: number): FaultRule => ({
    match: { method: "PUT", path: "^/@fixture/core$" },
    fault: { status },
  });
  registry = stack.use(await startRegistry({ storageDir: await holdTempDir(stack), uplink: null }));
  expect((await publishThrough([always(429)])).error).toMatchObject({
    code: "CODEX_JS_RELEASE_NPM_RATE_LIMIT",
    exitCode: 3,
  });
  expect((await publishThrough([always(503)])).error).toMatchObject({
    code: "CODEX_JS_RELEASE_NPM_OUTAGE",
    exitCode: 3,
  });
});

test("a version that was published once and taken away is said to be gone for ever", async () => {
  const packument = { name: "@fixture/core", versions: {}, time: { "1.0.0": "2026-01-01T00:00:00.000Z" } };
  const { error } = await publishThrough([
    { match: { method: "GET", path: "^/@fixture/core$" }, fault: { status: 200, body: packument } },
    { match: { method: "PUT", path: "^/@fixture/core$" }, fault: { status: 403 } },
  ]);
  expect(error).toMatchObject({
    code: "CODEX_JS_RELEASE_VERSION_UNPUBLISHED",
    exitCode: 1,
    hint: expect.stringContaining("pnpm changeset"),
  });
});

/** No transparency log can be had here: what npm prints of it is played back. */
test("a conflict in the transparency log is signed anew", async () => {
  let refusals = 1;
  const { report, puts } = await publishThrough([], {
    wrap: (target) => ({
      ...target,
      publish: async (upload) => {
        if (upload.name !== "@fixture/core" || refusals-- === 0) return target.publish(upload);
        const said = "npm error code TLOG_CREATE_ENTRY_ERROR\nnpm error error creating tlog entry - (409)";
        const failed = {
          code: "CODEX_JS_PROCESS_FAILED",
          message: said,
          exitCode: exitCodes.external,
        } as const;
        throw new PublishError(upload, new ToolError(failed));
      },
    }),
  });
  expect(report?.packages).toHaveLength(6);
  expect(puts.filter((path) => path === "/@fixture/core")).toHaveLength(1);
});

test("a dist-tag that is not where the publish has put it is said, with the command for a person", async () => {
  await publishThrough([]);
  const target = createTarget(registry.url);
  await verifyDistTags(target, packed.manifest);
  const renamed = packed.manifest.packages.map((pkg) => ({ ...pkg, tag: "next" }));
  await expect(verifyDistTags(target, { ...packed.manifest, packages: renamed })).rejects.toMatchObject({
    code: "CODEX_JS_RELEASE_DIST_TAG_MOVED",
    exitCode: 1,
    hint: expect.stringContaining("npm dist-tag add @fixture/"),
  });
});
