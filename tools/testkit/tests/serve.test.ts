import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runNode, withTempDir } from "@codex-js/cli-kit";
import { Octokit } from "@octokit/rest";
import { expect, test } from "vitest";
import type { ServersReport } from "../src/servers/start-servers.ts";

const cli = fileURLToPath(new URL("../src/cli.ts", import.meta.url));

/** The command as a process of its own, with its own folder for temporary files. */
async function serve(dir: string, ...args: string[]) {
  const temp = join(dir, "temp");
  mkdirSync(temp, { recursive: true });
  const child = spawn(process.execPath, [cli, "serve", "--no-uplink", ...args], {
    cwd: dir,
    env: { PATH: process.env.PATH, TMPDIR: temp, TEMP: temp, TMP: temp },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "exit");
  const [line] = await Promise.race([
    once(child.stdout.setEncoding("utf8"), "data"),
    ended.then(() => Promise.reject(new Error(errors))),
  ]);
  const stop = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    const [exitCode] = await ended;
    return { exitCode: exitCode as number | null, errors, left: readdirSync(temp) };
  };
  return { report: JSON.parse(line as string) as ServersReport, stop };
}

const commit = "1".repeat(40);

async function createTag({ githubApiUrl, githubToken, repository }: ServersReport, tag: string) {
  const [owner = "", repo = ""] = repository.split("/");
  const octokit = new Octokit({ baseUrl: githubApiUrl, auth: githubToken });
  return (await octokit.git.createRef({ owner, repo, ref: `refs/tags/${tag}`, sha: commit })).status;
}

test.each(["SIGINT", "SIGTERM"] as const)("both servers are up until %s, and nothing is left", (signal) =>
  withTempDir("codex-js-serve-test", async (dir) => {
    const { report, stop } = await serve(dir, "--repository", "me/mine");
    const registry = await fetch(`${report.registryUrl}not-there`);
    expect([report, registry.status, await createTag(report, "v1")]).toEqual([
      {
        version: 1,
        registryUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/$/),
        githubApiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        githubUploadUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        githubToken: expect.any(String),
        repository: "me/mine",
      },
      404,
      201,
    ]);
    const { exitCode, errors, left } = await stop(signal);
    expect([exitCode, errors, left]).toEqual([
      { SIGINT: 130, SIGTERM: 143 }[signal],
      expect.stringContaining(`stopped by ${signal}`),
      [],
    ]);
    for (const url of [report.registryUrl, report.githubApiUrl, report.githubUploadUrl]) {
      await expect(fetch(url)).rejects.toThrow();
    }
  }),
);

test("a state folder is found again, and a fault plan strikes both servers", () =>
  withTempDir("codex-js-serve-test", async (dir) => {
    const first = await serve(dir, "--state-dir", "state");
    await createTag(first.report, "v1");
    await first.stop("SIGINT");
    const fault = { status: 503 };
    const match = { method: "GET" };
    writeFileSync(
      join(dir, "faults.json"),
      JSON.stringify({ registry: [{ match, fault }], github: [{ match, fault }] }),
    );
    const second = await serve(dir, "--state-dir", "state", "--faults", "faults.json");
    await expect(createTag(second.report, "v1")).rejects.toThrow("Reference already exists");
    const statuses = [second.report.registryUrl, second.report.githubApiUrl].map(
      async (url) => (await fetch(url)).status,
    );
    expect(await Promise.all(statuses)).toEqual([503, 503]);
    await second.stop("SIGINT");
  }));

test("what is not as GitHub describes it is said at the end", () =>
  withTempDir("codex-js-serve-test", async (dir) => {
    const { report, stop } = await serve(dir);
    expect((await fetch(`${report.githubApiUrl}/relases`)).status).toBe(400);
    expect((await stop("SIGINT")).errors).toContain("there is no operation GET /relases");
  }));

test.each([
  [["--faults", "missing.json"], "CODEX_JS_TESTKIT_BAD_FAULT_PLAN"],
  [["--registry-port", "x"], "CODEX_JS_TESTKIT_BAD_OPTION"],
  [["--repository", "x"], "CODEX_JS_TESTKIT_BAD_OPTION"],
])("%j is a wrong usage", async (args, code) => {
  const result = await runNode(cli, ["serve", ...args], {
    cwd: process.cwd(),
    env: { PATH: process.env.PATH },
    okExitCodes: "any",
  });
  expect([result.exitCode, result.stderr]).toEqual([2, expect.stringContaining(code)]);
});
