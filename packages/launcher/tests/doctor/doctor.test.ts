import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { startOtlpCollector } from "@codex-js/testkit/otlp-collector";
import { waitUntilGone } from "@codex-js/testkit/process-state";
import { describe, expect, onTestFinished, test } from "vitest";
import { createServerToml, createUser, hasBun, readPids, runDoctor, startDoctor } from "./doctor-process.ts";

const isWindows = process.platform === "win32";
const patient = { timeout: 180_000 };

interface Document {
  version: number;
  scenarios: { id: string; medians: Record<string, number>; samples: Record<string, unknown>[] }[];
  findings: {
    kind: string;
    message: string;
    server: string | null;
    savesMs: number | null;
    changes: unknown[];
  }[];
  fix: { files: { diff: string }[]; written: { path: string; backup?: string }[] } | null;
}

const readDocument = (stdout: string) => JSON.parse(stdout) as Document;

/** Median exit of a scenario. */
function readExit({ scenarios }: Document, id: string): number {
  return scenarios.find((one) => one.id === id)!.medians.exitMs!;
}

// openai/codex#40402: the engine waits at its exit for a collector that takes 900 ms to answer.
describe.each([
  { name: "Node.js", command: [process.execPath], isMissing: false },
  { name: "Bun", command: ["bun"], isMissing: !hasBun },
])("$name", ({ command, isMissing }) => {
  test.skipIf(isMissing)("finds a slow collector, and --fix ends it", patient, async () => {
    await using collector = await startOtlpCollector({ delayMs: 900 });
    const exporter = collector.exporterToml("metrics");
    const config = `# mine\n[otel] # where it goes\nmetrics_exporter = ${exporter} # slow\n`;
    const user = createUser(config);
    writeFileSync(join(user.codexHome, "auth.json"), "{}");

    const first = await runDoctor(user, ["--json", "--runs", "3", "--fix"], command);
    const found = readDocument(first.stdout);
    expect({ exitCode: first.exitCode, findings: found.findings }).toEqual({
      exitCode: 0,
      findings: [
        {
          kind: "telemetry",
          message: "every exit waits for the metrics exporter",
          advice: [`[otel] metrics_exporter = "none"  in ${user.configPath}:3`],
          savesMs: expect.any(Number),
          server: null,
          changes: [{ file: user.configPath, path: ["otel", "metrics_exporter"], value: "none" }],
        },
      ],
    });
    expect(readExit(found, "as-is")).toBeGreaterThan(3 * readExit(found, "metrics-off"));
    expect(found.scenarios.map(({ id, samples }) => [id, samples.length])).toEqual([
      ["as-is", 3],
      ["metrics-off", 3],
      ["analytics-off", 3],
    ]);
    expect(user.readConfig()).toBe('# mine\n[otel] # where it goes\nmetrics_exporter = "none" # slow\n');
    expect(user.listHome()).toEqual(["auth.json", "config.toml", "config.toml.before-doctor"]);

    const sent = collector.requests.length;
    const second = await runDoctor(user, ["--json", "--runs", "3", "--fix"], command);
    expect(readDocument(second.stdout)).toMatchObject({ findings: [], fix: { files: [], written: [] } });
    expect([second.exitCode, collector.requests.length]).toEqual([0, sent]);
    expect([user.listHome().length, readdirSync(user.tempDir)]).toEqual([3, []]);
  });
});

// What most people have: nothing configured, and the collector of the engine's maker far away.
test(
  "finds the exporter that nobody configured; --dry-run shows what --fix would write",
  patient,
  async () => {
    const proxy = createServer().on("connect", (_, socket) => {
      socket.on("error", () => {});
      setTimeout(() => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"), 900);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void proxy.close());
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const user = createUser(undefined, { HTTPS_PROXY: url, HTTP_PROXY: url });

    const { exitCode, stdout } = await runDoctor(user, ["--fix", "--dry-run", "--runs", "3"]);
    expect({ exitCode, stdout, home: user.listHome() }).toEqual({
      exitCode: 1,
      stdout: `--- /dev/null\n+++ ${user.configPath}\n@@ -0,0 +1,2 @@\n+[otel]\n+metrics_exporter = "none"\n`,
      home: [],
    });
  },
);

describe.skipIf(isWindows)("MCP servers (what outlives the engine is not measured on Windows)", () => {
  test("names the one that is slow to stop, behind a slow collector too", patient, async () => {
    await using collector = await startOtlpCollector({ delayMs: 900 });
    const user = createUser(
      [
        `otel.metrics_exporter = ${collector.exporterToml("metrics")}`,
        createServerToml("quick"),
        createServerToml("stubborn", { stopMs: 2000, wrapped: true }),
      ].join("\n"),
    );
    const { exitCode, stdout } = await runDoctor(user, ["--json", "--runs", "2"]);
    const { findings } = readDocument(stdout);
    // On a busy machine the start of any server may be long enough for a finding of its own.
    const found = findings.filter(({ kind }) => kind !== "mcp-costs");
    expect({ exitCode, found: found.map(({ kind, server }) => [kind, server]) }).toEqual({
      exitCode: 1,
      found: [
        ["telemetry", null],
        ["mcp-slow-stop", "stubborn"],
      ],
    });
    expect(found[1]?.message).toMatch(
      /^MCP server stubborn takes \d\.\d s to stop after the engine has ended \(/,
    );
  });

  test("a server that never answers is named, and killed with its group", patient, async () => {
    const pidFile = join(createUser(undefined).tempDir, "pids");
    const user = createUser(
      [
        'otel.metrics_exporter = "none"',
        createServerToml("silent", { silent: true, stopMs: 60_000, pidFile, wrapped: true, required: true }),
      ].join("\n"),
    );
    const { exitCode, stdout } = await runDoctor(user, ["--json", "--runs", "1", "--timeout", "3"]);
    const { findings, scenarios } = readDocument(stdout);
    expect([exitCode, findings.map(({ kind, server }) => [kind, server])]).toEqual([
      1,
      [["turn-fails", "silent"]],
    ]);
    expect(scenarios[0]?.samples[0]).toMatchObject({ failure: { phase: "turnMs", deadline: true } });
    await Promise.all(readPids(pidFile).map(waitUntilGone));
  });

  test("Ctrl+C leaves no process and no file", patient, async () => {
    const user = createUser(undefined);
    const pidFile = join(user.codexHome, "pids");
    writeFileSync(
      user.configPath,
      createServerToml("silent", { silent: true, stopMs: 60_000, pidFile, wrapped: true, required: true }),
    );
    const { child, outcome } = startDoctor(user, ["doctor"]);
    await expect.poll(() => user.listHome(), { timeout: 30_000 }).toContain("pids");
    child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await outcome;
    expect([exitCode, stdout, stderr.trim().split("\n").at(-1)]).toEqual([
      130,
      "",
      "stopped by SIGINT; nothing is left behind",
    ]);
    await Promise.all(readPids(pidFile).map(waitUntilGone));
    expect(readdirSync(user.tempDir)).toEqual([]);
  });
});

test("a profile's settings count, and are fixed in its own file", patient, async () => {
  await using collector = await startOtlpCollector({ delayMs: 900 });
  const user = createUser('otel.metrics_exporter = "none"\n');
  const profile = join(user.codexHome, "work.config.toml");
  writeFileSync(profile, `[otel]\nmetrics_exporter = ${collector.exporterToml("metrics")}\n`);
  const { stdout, stderr } = await runDoctor(user, [
    "--profile",
    "work",
    "--fix",
    "--dry-run",
    "--runs",
    "3",
  ]);
  expect(stdout, stderr).toContain(`+++ ${profile}\n`);
  expect(stdout).toMatch(/^\+metrics_exporter = "none"$/m);
});

test.each([
  ["no TOML", "a = 1\nb = 'x\n", ":2:", "CODEX_JS_DOCTOR_CONFIG_BROKEN"],
  ["not the engine's", "model = 3\n", ":1:9: ", "CODEX_JS_DOCTOR_CONFIG_REFUSED"],
])("a configuration that is %s: exit code 2, and the line", patient, async (_, config, place, code) => {
  const user = createUser(config);
  const { exitCode, stdout, stderr } = await runDoctor(user, []);
  expect([exitCode, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(code);
  expect(stderr).toContain(place);
});
