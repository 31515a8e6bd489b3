// The run around the checks: a real registry, packages that npm published to it, Node with npm and Bun.
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { type CliContext, createProcessContext, runNode, withTempDir } from "@codex-js/cli-kit";
import { startRegistry } from "@codex-js/testkit/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Check } from "../src/checks/check.ts";
import { expectEqual } from "../src/expect.ts";
import { type Matrix, runMatrix } from "../src/run-smokes.ts";
import type { RuntimePlan } from "../src/runtime-plan.ts";
import { provideRuntime } from "../src/runtime-store.ts";
import type { RuntimeSpec } from "../src/runtimes.ts";
import type { SmokeEvent, SmokeReport } from "../src/types.ts";
import { findWorkspaceTools } from "../src/workspace-tools.ts";
import { type FixtureRegistry, startFixtureRegistry } from "./fixture-registry.ts";

const workspace = findWorkspaceTools(process.platform);
/** Nothing of it has to be fetched. */
const specs: RuntimeSpec[] = [
  { id: "node", kind: "node", version: "workspace", npm: "workspace" },
  { id: "bun", kind: "bun", version: "workspace" },
];
const packages = [{ name: "@smoke/greeting", version: "1.2.3" }];

const greetCheck: Check = {
  name: "greet",
  needs: ["@smoke/greeting"],
  run: async ({ project }) => {
    await writeFile(join(project.dir, "greet.js"), `import g from "@smoke/greeting";\nconsole.log(g);\n`);
    expectEqual("the greeting", (await project.runRuntime(["greet.js"])).stdout, "hello\n");
  },
};
const absentCheck: Check = {
  name: "absent",
  needs: ["@smoke/absent"],
  run: () => Promise.reject(new Error("must not run")),
};
const bunFailsCheck: Check = {
  name: "node only",
  needs: ["@smoke/greeting"],
  run: async ({ runtime }) => expectEqual("the kind of runtime", runtime.kind, "node"),
};

let registry: FixtureRegistry;

beforeAll(async () => {
  registry = await startFixtureRegistry([
    {
      manifest: { name: "@smoke/greeting", version: "1.2.3", exports: "./index.js" },
      files: { "index.js": 'export default "hello";' },
    },
    // Takes the place of a runtime that has to be fetched.
    { manifest: { name: "smoke-runtime", version: "1.0.0" }, files: { run: "#!/bin/sh\necho 1.0.0\n" } },
    // Broken in one way: its answer is not the model's.
    {
      manifest: { name: "@codex-js/sdk", version: "0.0.1", exports: "./index.js" },
      files: {
        "index.js": `
          const events = [{ type: "turn.completed" }];
          const thread = { id: "1", runStreamed: async () => ({ events }), run: async () => ({ finalResponse: "42" }) };
          export class Codex { startThread() { return thread; } }`,
      },
    },
  ]);
});

afterAll(() => registry.stop());

function createContext(signal = new AbortController().signal): CliContext {
  return createProcessContext(signal);
}

interface RunOverrides {
  context?: CliContext;
  registryUrl?: string;
  packages?: { name: string; version: string }[];
  onEvent?: (event: SmokeEvent) => void;
}

function run(dir: string, matrix: Partial<Matrix>, overrides: RunOverrides = {}) {
  return runMatrix(
    { specs, checks: [greetCheck], ...matrix },
    {
      context: createContext(),
      registryUrl: registry.url,
      packages,
      workDir: join(dir, "work"),
      cacheDir: join(dir, "cache"),
      ...overrides,
    },
  );
}

test("installs and checks on each runtime, skips what is absent, and leaves nothing behind", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const events: SmokeEvent[] = [];
    const report = await run(
      dir,
      { checks: [greetCheck, absentCheck] },
      { onEvent: (event) => events.push(event) },
    );
    const passed = { status: "passed", durationMs: expect.any(Number) };
    const checks = [
      { name: "runtime", ...passed },
      { name: "install", ...passed },
      { name: "greet", ...passed },
      {
        name: "absent",
        status: "skipped",
        durationMs: 0,
        message: "@smoke/absent is not among the packages",
      },
    ];
    const result = { ok: true, durationMs: expect.any(Number), checks };
    const { node, npm, bun } = workspace;
    expect(report).toEqual({
      version: 1,
      results: [
        { runtime: "node", runtimeVersion: node.version, packageManager: `npm ${npm.version}`, ...result },
        { runtime: "bun", runtimeVersion: bun.version, packageManager: `bun ${bun.version}`, ...result },
      ],
    });
    expect(
      events.filter(({ runtime }) => runtime === "bun").map(({ check, state }) => `${check} ${state}`),
    ).toEqual([
      "runtime start",
      "runtime ok",
      "install start",
      "install ok",
      "greet start",
      "greet ok",
      "absent skipped",
    ]);
    expect(await readdir(join(dir, "work"))).toEqual([]);
  });
});

test("a failed check stops neither the other checks nor the other runtimes, and keeps its project", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const { results } = await run(dir, { checks: [bunFailsCheck, greetCheck] });
    expect(
      results.map(({ runtime, ok, checks }) => [runtime, ok, checks.map(({ status }) => status)]),
    ).toEqual([
      ["node", true, ["passed", "passed", "passed", "passed"]],
      ["bun", false, ["passed", "passed", "failed", "passed"]],
    ]);
    expect(results[1]?.checks[2]?.message).toBe(
      'the kind of runtime: expected "node", received "bun" (CODEX_JS_SMOKE_MISMATCH)',
    );
    expect(await readdir(join(dir, "work"))).toEqual(["bun"]);
  });
});

test("a package that cannot be installed fails the install with npm's last lines", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    await using empty = await startRegistry({ storageDir: join(dir, "storage"), uplink: null });
    // Asked about the package it says yes; npm then finds nothing.
    const fetch: typeof globalThis.fetch = (input, init) =>
      globalThis.fetch(String(input).replace(empty.url, registry.url), init);
    const { results } = await run(
      dir,
      { specs: specs.slice(0, 1) },
      { context: { ...createContext(), fetch }, registryUrl: empty.url },
    );
    expect(results[0]?.checks.map(({ status, message }) => [status, message])).toEqual([
      ["passed", undefined],
      ["failed", expect.stringContaining("E404")],
      ["skipped", "nothing is installed"],
    ]);
  });
});

test("other bytes than the registry promised fail the install", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const fetch: typeof globalThis.fetch = (input, init) =>
      String(input).endsWith(".tgz") ? Promise.resolve(new Response("other")) : globalThis.fetch(input, init);
    const { results } = await run(dir, {}, { context: { ...createContext(), fetch } });
    expect(results.map(({ ok, checks }) => [ok, checks[1]?.message])).toEqual([
      [false, expect.stringContaining("CODEX_JS_SMOKE_WRONG_BYTES")],
      [false, expect.stringContaining("CODEX_JS_SMOKE_WRONG_BYTES")],
    ]);
  });
});

// The public registry lets npm keep a list of versions for five minutes: right after a publish a kept cache
// does not know the new version.
test("a version that npm's cache does not know yet is installed", async () => {
  const name = "@smoke/released-twice";
  const publish = (version: string) => registry.publish({ manifest: { name, version }, files: {} });
  const statusesOf = (dir: string, url: string, version: string) =>
    run(
      dir,
      { specs: specs.slice(0, 1), checks: [] },
      { registryUrl: url, packages: [{ name, version }] },
    ).then(({ results }) => results[0]?.checks.map(({ status }) => status));

  await withTempDir("codex-js-smoke", (dir) =>
    withCachingProxy(registry.url, async (url) => {
      await publish("1.0.0");
      expect(await statusesOf(dir, url, "1.0.0")).toEqual(["passed", "passed"]);
      await publish("1.0.1");
      expect(await statusesOf(dir, url, "1.0.1")).toEqual(["passed", "passed"]);
    }),
  );
});

/** Passes GET requests on and says of the answers what the public registry says. */
async function withCachingProxy(targetUrl: string, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer((incoming, outgoing) => {
    const passed = request(
      new URL(incoming.url ?? "/", targetUrl),
      { headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, {
          ...answer.headers,
          "cache-control": "public, max-age=300",
        });
        answer.pipe(outgoing);
      },
    );
    passed.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test("an abort ends the children and removes the projects", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const abort = new AbortController();
    const hang: Check = {
      name: "hang",
      needs: ["@smoke/greeting"],
      run: async ({ project, runtime }) => {
        if (runtime.kind === "node") return;
        setImmediate(() => abort.abort(new Error("enough")));
        await project.runRuntime(["-e", "setInterval(() => {}, 1000)"]);
      },
    };
    const running = run(dir, { checks: [hang] }, { context: createContext(abort.signal) });
    await expect(running).rejects.toThrow("enough");
    expect(await readdir(join(dir, "work"))).toEqual([]);
  });
});

test("a registry that is down ends the run before anything is made", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    await using gone = await startRegistry({ storageDir: join(dir, "storage"), uplink: null });
    await gone.close();
    await expect(run(dir, {}, { registryUrl: gone.url })).rejects.toMatchObject({
      code: "CODEX_JS_SMOKE_REGISTRY_FAILED",
      exitCode: 3,
    });
    expect(existsSync(join(dir, "work"))).toBe(false);
  });
});

test("a version that is not published ends the run", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const wanted = [{ name: "@smoke/greeting", version: "9.9.9" }];
    await expect(run(dir, {}, { packages: wanted })).rejects.toMatchObject({
      code: "CODEX_JS_SMOKE_NOT_PUBLISHED",
      exitCode: 1,
    });
  });
});

test.skipIf(process.platform === "win32")(
  "two at once fetch one runtime, and a third needs no registry",
  async () => {
    await withTempDir("codex-js-smoke", async (dir) => {
      const plan: RuntimePlan = {
        id: "fetched",
        kind: "bun",
        version: "1.0.0",
        packageManager: "bun 1.0.0",
        downloads: [{ name: "smoke-runtime", version: "1.0.0" }],
        locate: (downloadDir) => ({ executable: join(downloadDir, "node_modules", "smoke-runtime", "run") }),
      };
      const cacheDir = join(dir, "cache");
      const provide = (registryUrl: string) => {
        const env = { ...process.env, npm_config_registry: registryUrl };
        return provideRuntime(plan, { context: { ...createContext(), env }, cacheDir });
      };
      await mkdir(cacheDir);
      const two = await Promise.all([provide(registry.url), provide(registry.url)]);
      const third = await provide("http://127.0.0.1:1/");
      expect([two[0], third]).toEqual([two[1], two[1]]);
      expect(await readdir(join(cacheDir, "runtimes"))).toEqual(["smoke-runtime@1.0.0"]);
    });
  },
);

test("a runtime that cannot be fetched fails its own row alone", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const missing: RuntimeSpec = { id: "missing", kind: "node", version: "0.0.1", npm: "workspace" };
    const context = createContext();
    const env = { ...context.env, npm_config_registry: registry.url };
    const { results } = await run(dir, { specs: [missing, specs[1]!] }, { context: { ...context, env } });
    expect(
      results.map(({ runtimeVersion, ok, checks }) => [
        runtimeVersion,
        ok,
        checks.map(({ status }) => status),
      ]),
    ).toEqual([
      ["0.0.1", false, ["failed", "skipped", "skipped"]],
      [workspace.bun.version, true, ["passed", "passed", "passed"]],
    ]);
  });
});

test("the command prints the report and exits 1 when an answer is wrong", async () => {
  await withTempDir("codex-js-smoke", async (dir) => {
    const cli = join(import.meta.dirname, "..", "src", "cli.ts");
    const flags = {
      registry: registry.url,
      package: "@codex-js/sdk@0.0.1",
      runtime: "bun",
      "work-dir": "work",
    };
    const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
    const result = await runNode(cli, [...args, "--cache-dir", "cache", "--json"], {
      cwd: dir,
      env: process.env,
      okExitCodes: "any",
    });
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("the smoke failed on bun (CODEX_JS_SMOKE_FAILED)");
    const { results } = JSON.parse(result.stdout) as SmokeReport;
    expect(results[0]?.checks.map(({ name, status }) => [name, status])).toEqual([
      ["runtime", "passed"],
      ["install", "passed"],
      ["types", "failed"],
      ["sdk turn", "failed"],
      ["launcher turn", "skipped"],
      ["mod runner", "skipped"],
    ]);
    expect(await readdir(join(dir, "work"))).toEqual(["bun"]);
  });
});
