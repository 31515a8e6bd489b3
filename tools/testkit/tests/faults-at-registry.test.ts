// Every kind of fault at the registry, with the real npm for a client.
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createTempDir, runNode, type TempDir } from "@codex-js/cli-kit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Fault } from "../src/fault-plan/index.ts";
import { type FaultyRegistry, startFaultyRegistry } from "../src/registry/index.ts";

const npmCli = join(dirname(createRequire(import.meta.url).resolve("npm/package.json")), "bin/npm-cli.js");
let dir: TempDir;
let registry: FaultyRegistry;
let name: string;
let count = 0;

beforeAll(async () => {
  dir = await createTempDir("codex-js-fault-test");
  registry = await startFaultyRegistry({ storageDir: join(dir.path, "storage"), uplink: null });
});
afterAll(async () => {
  await registry?.close();
  await dir?.remove();
});
beforeEach(() => {
  count += 1;
  name = `faulted-${count}`;
  registry.setFaults([]);
});

/** npm's output, or its error code. */
async function npm(cwd: string, ...args: string[]): Promise<string> {
  const home = join(dir.path, "home");
  const userconfig = await registry.writeUserconfig(home);
  const result = await runNode(npmCli, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      SystemRoot: process.env.SystemRoot,
      HOME: home,
      npm_config_userconfig: userconfig,
      npm_config_cache: join(home, "cache"),
      npm_config_fetch_retries: "0",
      npm_config_loglevel: "error",
    },
    okExitCodes: "any",
  });
  if (result.exitCode === 0) return result.stdout.trim();
  return /^npm error code (\S+)/m.exec(result.stderr)?.[1] ?? result.stderr;
}

async function publish(version = "1.0.0"): Promise<string> {
  const folder = join(dir.path, name);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), JSON.stringify({ name, version }));
  await writeFile(join(folder, "index.js"), `module.exports = "${"x".repeat(2000)}";\n`);
  const result = await npm(folder, "publish", "--access=public");
  return result.startsWith("+") ? "published" : result;
}

const view = () => npm(dir.path, "view", name, "version", "--prefer-online");
const download = () => npm(dir.path, "pack", `${name}@1.0.0`, "--prefer-online");

/** The versions that are really there. */
async function readVersions(): Promise<string[]> {
  const response = await fetch(`${registry.directUrl}${name}`);
  const { versions = {} } = (await response.json()) as { versions?: Record<string, unknown> };
  return Object.keys(versions);
}

const strikePublish = (fault: Fault) =>
  registry.setFaults([{ match: { method: "PUT", route: "/{name}", times: 1 }, fault }]);

test.each<[Fault, string, string[]]>([
  [{ status: 503 }, "E503", []],
  [{ delayMs: 20 }, "published", ["1.0.0"]],
  [{ cut: "request" }, "ECONNRESET", []],
  [{ cut: "answer" }, "ECONNRESET", ["1.0.0"]],
  [{ cut: { requestAfterBytes: 500 } }, "ECONNRESET", []],
  [{ storedButError: 500 }, "E500", ["1.0.0"]],
])("a publish that meets %j ends with %s, and %j is there", async (fault, outcome, versions) => {
  strikePublish(fault);
  expect([await publish(), await readVersions()]).toEqual([outcome, versions]);
  expect(registry.requests.at(-1)?.fault ?? registry.requests.at(-2)?.fault).toBe(Object.keys(fault)[0]);
});

test("a download that is cut off, and one with wrong bytes", async () => {
  await publish();
  const strike = (fault: Fault) => registry.setFaults([{ match: { path: "\\.tgz$" }, fault }]);
  strike({ cut: { answerAfterBytes: 100 } });
  const cut = await download();
  strike({ wrongBytes: true });
  const wrong = await download();
  registry.setFaults([]);
  expect([cut, wrong, await download()]).toEqual([
    expect.stringMatching(/ECONNRESET|ERR_STREAM_PREMATURE_CLOSE|Z_BUF_ERROR|EINTEGRITY/),
    "EINTEGRITY",
    `${name}-1.0.0.tgz`,
  ]);
});

test("an upload with wrong bytes is refused: npm sends its digest along", async () => {
  strikePublish({ wrongBytes: true });
  expect([await publish(), await readVersions()]).toEqual(["E400", []]);
});

test("a version is there and not seen, first alone and then beside another", async () => {
  registry.setFaults([{ match: { method: "GET", route: "/{name}" }, fault: { invisibleForPolls: 2 } }]);
  await publish("1.0.0");
  expect([await view(), await view(), await view()]).toEqual(["E404", "E404", "1.0.0"]);
  await publish("1.0.1");
  expect([await view(), await readVersions()]).toEqual(["1.0.0", ["1.0.0", "1.0.1"]]);
});

test("reads are behind", async () => {
  await publish("1.0.0");
  registry.setFaults([{ match: { method: "GET", route: "/{name}" }, fault: { staleReads: 2 } }]);
  const before = await view();
  await publish("1.0.1");
  expect([before, await view(), await view(), await view()]).toEqual(["1.0.0", "1.0.0", "1.0.0", "1.0.1"]);
});
