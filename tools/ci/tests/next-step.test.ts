import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createProcessContext, createTempDir, pickUserEnv, runNode, runWithContext } from "@codex-js/cli-kit";
import { openGithubRelease } from "@codex-js/release/github";
import { type FakeGithub, startFakeGithub } from "@codex-js/testkit/fake-github";
import { type Registry, startRegistry } from "@codex-js/testkit/registry";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defineCi } from "../src/define-ci.ts";
import { commitAll, createFixtureRepository, git } from "./fixture-repository.ts";

let registry: Registry;
let github: FakeGithub;
let dir: Awaited<ReturnType<typeof createTempDir>>;
let root: string;

beforeAll(async () => {
  dir = await createTempDir("codex-js-next-step");
  root = join(dir.path, "repository");
  await mkdir(root);
  await createFixtureRepository(root);
  registry = await startRegistry({ storageDir: join(dir.path, "registry"), uplink: null });
  github = await startFakeGithub();
});

afterAll(async () => {
  await github?.close();
  await registry?.[Symbol.asyncDispose]();
  await dir?.remove();
});

async function askNextStep() {
  const outputs = join(dir.path, "outputs");
  await rm(outputs, { force: true });
  const [out, err]: [string[], string[]] = [[], []];
  const context = {
    ...createProcessContext(new AbortController().signal),
    cwd: root,
    env: { ...pickUserEnv(process.env), GITHUB_OUTPUT: outputs, GITHUB_TOKEN: github.token },
    stdout: { write: (text: string) => out.push(text) },
    stderr: { write: (text: string) => err.push(text) },
  };
  const argv = ["next-step", "--registry", registry.url, "--github-api", github.apiUrl, "--json"];
  const exitCode = await runWithContext(defineCi, context, argv);
  const written = await readFile(outputs, "utf8").catch(() => "");
  const output = /^action<<(\S+)\n(\w+)\n\1\n$/.exec(written)?.[2];
  return { exitCode, action: out[0] && JSON.parse(out[0]).action, output, err: err.join("") };
}

/** Any bytes will do: they are not compared. */
async function publish(name: string, version = "1.1.0"): Promise<void> {
  const packageDir = join(dir.path, `${name}-${version}`);
  await mkdir(packageDir);
  await writeFile(join(packageDir, "package.json"), JSON.stringify({ name: `@codex-js/${name}`, version }));
  const userconfig = await registry.writeUserconfig(packageDir);
  const npm = fileURLToPath(new URL("bin/npm-cli.js", import.meta.resolve("npm/package.json")));
  await runNode(npm, ["publish", `--userconfig=${userconfig}`, "--provenance=false", "--access=public"], {
    cwd: packageDir,
    env: { ...pickUserEnv(process.env), npm_config_cache: join(dir.path, "npm-cache") },
  });
}

test("each point of a release asks for its own step", { timeout: 180_000 }, async () => {
  const releases = openGithubRelease({
    apiUrl: github.apiUrl,
    token: github.token,
    repository: github.repository,
    context: createProcessContext(new AbortController().signal),
    log: () => {},
  });
  const story: [string, () => Promise<unknown>][] = [
    ["a changeset is pending, the version before it was never released", async () => {}],
    [
      "a changeset is pending",
      async () => {
        for (const name of ["cli", "sdk"]) await publish(name, "1.0.0");
        await releases.ensureTag("v1.0.0", await git(root, "rev-parse", "HEAD"));
        const plan = { tag: "v1.0.0", name: "v1.0.0", body: "", prerelease: false };
        await releases.publishRelease((await releases.ensureDraft(plan)).release);
      },
    ],
    ["versions are applied", applyVersions],
    [
      "the tag is there and one of two packages",
      async () => {
        await releases.ensureTag("v1.1.0", await git(root, "rev-parse", "HEAD"));
        await publish("cli");
      },
    ],
    ["somebody pushes another commit meanwhile", () => commitAll(root, "meanwhile")],
    [
      "npm has all, and the release is published",
      async () => {
        await publish("sdk");
        const plan = { tag: "v1.1.0", name: "v1.1.0", body: "", prerelease: false };
        await releases.publishRelease((await releases.ensureDraft(plan)).release);
      },
    ],
  ];
  const told: Record<string, string> = {};
  for (const [when, happen] of story) {
    await happen();
    const { exitCode, action, output, err } = await askNextStep();
    told[when] = `${exitCode} ${action} ${output} ${/CODEX_JS_\w+/.exec(err)?.[0] ?? ""}`.trim();
  }
  expect(told).toEqual({
    "a changeset is pending, the version before it was never released":
      "1 stop stop CODEX_JS_CI_RELEASE_STOPPED",
    "a changeset is pending": "0 version version",
    "versions are applied": "0 release release",
    "the tag is there and one of two packages": "0 release release",
    "somebody pushes another commit meanwhile": "1 stop stop CODEX_JS_CI_RELEASE_STOPPED",
    "npm has all, and the release is published": "0 none none",
  });
});

async function applyVersions(): Promise<void> {
  await rm(join(root, ".changeset", "steer.md"));
  for (const name of ["sdk", "cli"]) {
    const file = join(root, "packages", name, "package.json");
    await writeFile(file, (await readFile(file, "utf8")).replace("1.0.0", "1.1.0"));
  }
  await commitAll(root, "Release 1.1.0");
}
