import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import type { ReleaseReport } from "../src/report/report.ts";
import type { ReleaseStatus } from "../src/status/status.ts";
import { writeJson } from "./fixture-workspace.ts";
import { createProgram } from "./programs.ts";
import { packageNames, targets, writeProgram, writeReleaseWorkspace } from "./release-workspace.ts";
import { canaries, openWorld, readRegistry, type World } from "./release-world.ts";
import { runRelease } from "./run-cli.ts";

interface Scene {
  dir: string;
  storageDir: string;
  world: World;
  /** The real command, in this world; what it prints holds no secret. */
  run(
    args: string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{ exitCode: number | null; stdout: string; stderr: string }>;
}

function inScene(use: (scene: Scene) => Promise<void>, version = "1.0.0"): () => Promise<void> {
  return () =>
    withTempDir("codex-js-npm-release", async (base) => {
      const [dir, storageDir] = [join(base, "ws"), join(base, "registry")];
      mkdirSync(dir);
      await writeReleaseWorkspace(dir, { version });
      await using world = await openWorld({ storageDir });
      await use({
        dir,
        storageDir,
        world,
        run: async (args, env = {}) => {
          const { exitCode, stdout, stderr } = await runRelease(dir, [...args, ...world.args], {
            ...world.env,
            ...env,
          });
          for (const secret of Object.values(canaries)) expect(stdout + stderr).not.toContain(secret);
          return { exitCode, stdout, stderr };
        },
      });
    });
}

/** All of a release but its smokes. */
async function releaseUnsmoked(run: Scene["run"]): Promise<void> {
  for (const args of [["--no-smoke"], ["announce"]]) expect(await run(args)).toMatchObject({ exitCode: 0 });
}

/** Every text that a release has left behind. */
function readLeft(dir: string): string {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1")).join("\n");
}

const steps = (report: ReleaseReport) => report.steps.map(({ name, status }) => `${name} ${status}`);

test(
  "a complete release; its status; again, nothing to do; the tag made when only that is missing",
  inScene(async ({ dir, storageDir, world, run }) => {
    const first = await run(["--json", "--runtime", "bun"]);
    expect(first).toMatchObject({ exitCode: 0 });
    const report: ReleaseReport = JSON.parse(first.stdout);
    expect(steps(report)).toEqual(
      [
        "plan",
        "preflight",
        "stage",
        "build",
        "pack",
        "gates",
        "preflight-packed",
        "draft",
        "publish",
        "smoke",
        "announce",
      ].map((name) => `${name} passed`),
    );
    expect(report).toMatchObject({
      ok: true,
      target: "npm",
      dirty: false,
      releaseUrl: expect.stringContaining("v1.0.0"),
    });
    const integrities = report.packages.map(({ name, integrity }) => [name, integrity]);
    expect(readRegistry(storageDir)).toEqual(
      Object.fromEntries(
        integrities.map(([name, integrity]) => [
          name,
          { versions: { "1.0.0": integrity }, distTags: { latest: "1.0.0" } },
        ]),
      ),
    );
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: dir, encoding: "utf8" }).trim();
    const { tags, releases } = world.github.snapshot();
    expect(tags).toEqual({ "v1.0.0": commit });
    expect(releases).toEqual([
      {
        tag: "v1.0.0",
        name: "v1.0.0",
        body: "## @fixture/tool\n\n### Minor Changes\n\n- A feature (#7)",
        state: "published",
        prerelease: false,
        assets: expect.any(Array),
      },
    ]);
    expectSums(world, releases[0]!.assets);
    expect(readLeft(join(dir, ".release"))).not.toContain(canaries.npm);
    expect(readLeft(join(dir, ".release"))).not.toContain(canaries.github);

    const status = await run(["status", "--json"]);
    expect(status).toMatchObject({ exitCode: 0 });
    const found: ReleaseStatus = JSON.parse(status.stdout);
    expect(found).toMatchObject({ version: 1, tag: "v1.0.0", commit, complete: true, compared: true });
    expect(found.packages.map(({ name, state, tagged }) => [name, state, tagged]).toSorted()).toEqual(
      packageNames.map((name) => [name, "there", "1.0.0"]).toSorted(),
    );
    expect(new Set(found.github.map(({ state }) => state))).toEqual(new Set(["there"]));

    const writes = countWrites(world);
    const again = await run(["resume", "--json"]);
    expect(again).toMatchObject({ exitCode: 0 });
    expect(steps(JSON.parse(again.stdout))).toEqual(["plan passed", "status passed"]);
    expect(countWrites(world)).toBe(writes);

    // changesets/action#401, changesets#478: a run that publishes nothing made no tag either.
    await using later = await openWorld({ storageDir: join(dir, "..", "unused") });
    const args = world.args.with(-1, later.github.apiUrl);
    const mended = await runRelease(dir, ["--no-smoke", ...args], world.env);
    expect([mended.exitCode, mended.stderr]).toEqual([
      0,
      expect.stringContaining("0 published, 6 already there"),
    ]);
    expect(mended.stderr).toMatch(/stays a draft; once .*: `pnpm release announce --to npm --registry http/);
    expect(later.github.snapshot().releases).toMatchObject([{ state: "draft" }]);
    expect(await runRelease(dir, ["announce", ...args], world.env)).toMatchObject({ exitCode: 0 });
    expect(later.github.snapshot()).toEqual(world.github.snapshot());
  }),
  300_000,
);

/** The sums are those of every other file of the release, as `sha256sum --check` reads them. */
function expectSums({ github }: World, assets: { name: string; sha256: string | null }[]): void {
  const sums = github.readAsset("v1.0.0", "SHA256SUMS")!.toString("utf8");
  const others = assets.filter(({ name }) => name !== "SHA256SUMS");
  expect(sums).toBe(others.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(""));
  expect(others.map(({ name }) => name)).toEqual([
    "fixture-app-1.0.0.tgz",
    "fixture-core-1.0.0.tgz",
    "fixture-tool-1.0.0.tgz",
    "fixture-tool-darwin-arm64",
    "fixture-tool-darwin-arm64-1.0.0.tgz",
    "fixture-tool-linux-x64",
    "fixture-tool-linux-x64-1.0.0.tgz",
    "fixture-tool-win32-x64-1.0.0.tgz",
    "fixture-tool-win32-x64.exe",
    "manifest.json",
    "sbom.cdx.json",
  ]);
}

function countWrites({ proxy, github }: World): number {
  return [...proxy.requests, ...github.requests].filter(({ method }) => !/^(GET|HEAD)$/.test(method)).length;
}

/** What the preflight has said, and that nothing was changed anywhere. */
async function expectStopped(
  { world, run }: Scene,
  said: (string | RegExp)[],
  { args = ["--no-smoke"], env = {} }: { args?: string[]; env?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const writes = countWrites(world);
  const { exitCode, stderr } = await run(args, env);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("CODEX_JS_RELEASE_PREFLIGHT_FAILED")]);
  for (const text of said) expect(stderr).toMatch(text);
  expect(countWrites(world)).toBe(writes);
}

test(
  "everything that is wrong is said at once, before anything is built",
  inScene(async (scene) => {
    const { dir } = scene;
    writeFileSync(join(dir, "packages", "core", "src", "new.js"), "export {};\n");
    writeFileSync(join(dir, ".changeset", "late.md"), '---\n"@fixture/core": minor\n---\n\nLate.\n');
    const manifest = join(dir, "packages", "core", "package.json");
    const { repository: _, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
    writeJson(manifest, { ...rest, repository: { type: "git", url: "" } });
    await expectStopped(
      scene,
      [
        /working tree: it differs from [0-9a-f]{12}.*CODEX_JS_RELEASE_TREE_DIRTY/,
        /versions have not been applied: @fixture\/core 1\.0\.0 → 1\.1\.0.*CODEX_JS_RELEASE_CHANGESETS_PENDING/s,
        /@fixture\/core: repository\.url is "".*CODEX_JS_RELEASE_REPOSITORY_FIELD/,
        /neither a token for it nor a CI.*CODEX_JS_RELEASE_NPM_NO_AUTH/,
        /GitHub: .*CODEX_JS_RELEASE_GITHUB_NO_TOKEN/,
      ],
      {
        env: {
          NODE_AUTH_TOKEN: undefined,
          NPM_TOKEN: undefined,
          GITHUB_TOKEN: undefined,
          GH_TOKEN: undefined,
        },
      },
    );
    expect(existsSync(join(dir, ".release", "staging"))).toBe(false);
  }),
  300_000,
);

test(
  "a tag that somebody made by hand on another commit, here or on GitHub",
  inScene(async (scene) => {
    const { dir, world } = scene;
    const git = (...args: string[]) => execFileSync("git", args, { cwd: dir, encoding: "utf8" }).trim();
    const first = git("rev-parse", "HEAD~1");
    git("tag", "v1.0.0", first);
    await expectStopped(scene, [/CODEX_JS_RELEASE_TAG_ELSEWHERE/, /git tag -d v1\.0\.0/]);
    git("tag", "-d", "v1.0.0");
    await fetch(`${world.github.apiUrl}/repos/fixture/fixture/git/refs`, {
      method: "POST",
      headers: { authorization: `Bearer ${canaries.github}`, "content-type": "application/json" },
      body: JSON.stringify({ ref: "refs/tags/v1.0.0", sha: first }),
    });
    await expectStopped(scene, [/CODEX_JS_RELEASE_GITHUB_TAG_ELSEWHERE/]);
  }),
  300_000,
);

test(
  "wrong tokens of both kinds; a protected tag stops it before npm hears of the release",
  inScene(async (scene) => {
    const { dir, world } = scene;
    world.proxy.setFaults([{ match: { path: "^/-/whoami$" }, fault: { status: 401 } }]);
    await expectStopped(scene, [/CODEX_JS_RELEASE_NPM_AUTH/, /CODEX_JS_RELEASE_GITHUB_BAD_TOKEN/], {
      env: { GITHUB_TOKEN: "another-canary" },
    });
    world.proxy.setFaults([]);
    await using guarded = await openWorld({
      storageDir: join(dir, "..", "guarded"),
      github: { protectedTags: ["v*"] },
    });
    const stopped = await runRelease(dir, ["--no-smoke", ...guarded.args], guarded.env);
    expect([stopped.exitCode, stopped.stderr]).toEqual([
      2,
      expect.stringContaining("CODEX_JS_RELEASE_GITHUB_TAG_PROTECTED"),
    ]);
    expect(guarded.proxy.requests.filter(({ method }) => method === "PUT")).toEqual([]);
  }),
  300_000,
);

test(
  "a version with other bytes, and a file of another release on GitHub: found before anything is changed",
  inScene(async (scene) => {
    const { dir, world, run } = scene;
    await releaseUnsmoked(run);
    const source = join(dir, "packages", "core", "src", "index.js");
    writeFileSync(source, "export const name = 'other';\n");
    execFileSync(
      "git",
      ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qam", "other"],
      { cwd: dir },
    );
    await expectStopped(scene, [/CODEX_JS_RELEASE_GITHUB_TAG_ELSEWHERE/]);
    await using later = await openWorld({ storageDir: join(dir, "..", "unused") });
    const args = ["--no-smoke", ...world.args.with(-1, later.github.apiUrl)];
    const conflict = await runRelease(dir, args, world.env);
    expect([conflict.exitCode, conflict.stderr]).toEqual([
      1,
      expect.stringMatching(
        /@fixture\/core@1\.0\.0: registry has sha512-.*CODEX_JS_RELEASE_VERSION_CONFLICT/s,
      ),
    ]);
    expect(later.github.snapshot()).toMatchObject({ tags: {}, releases: [] });
    const status = await runRelease(dir, ["status", "--json", ...args.slice(1)], world.env);
    expect(status).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("CODEX_JS_RELEASE_STATUS_DIFFERS"),
    });
    const { packages } = JSON.parse(status.stdout) as ReleaseStatus;
    expect(packages.find(({ name }) => name === "@fixture/core")?.state).toBe("different");
  }),
  300_000,
);

test(
  "a program for another platform, or for another C library, is not released",
  inScene(async (scene) => {
    const { dir } = scene;
    const [linux, mac] = targets;
    writeProgram(dir, linux, createProgram("linux", "x64", "musl"));
    writeProgram(dir, mac, createProgram("darwin", "x64"));
    execFileSync(
      "git",
      ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qam", "other"],
      { cwd: dir },
    );
    await expectStopped(scene, [
      // https://github.com/BoundaryML/baml/issues/4355
      /tool-linux-x64: bin\/tool is linked against musl, and package\.json says glibc/,
      // https://github.com/evanw/esbuild/issues/2617
      /tool-darwin-arm64: bin\/tool is a program for another platform than darwin-arm64/,
    ]);
  }),
  300_000,
);

test(
  "a pre-release goes to its dist-tag and never becomes latest",
  inScene(async (scene) => {
    const { dir, storageDir, world, run } = scene;
    // The first version of a name would become latest whatever it is.
    writeJson(join(dir, ".changeset", "pre.json"), { mode: "pre", tag: "next" });
    await setVersions(dir, "1.0.0-next.0");
    await expectStopped(scene, [
      /the first version of a name becomes `latest`.*CODEX_JS_RELEASE_PRERELEASE_AS_LATEST/s,
    ]);

    rmSync(join(dir, ".changeset", "pre.json"));
    await setVersions(dir, "0.9.0");
    await releaseUnsmoked(run);

    // https://github.com/changesets/changesets/issues/1007: pre.json was deleted.
    await setVersions(dir, "1.0.0-next.0");
    await expectStopped(scene, [
      /1\.0\.0-next\.0 is a pre-release, but \.changeset\/pre\.json is not there.*CODEX_JS_RELEASE_PRE_MODE/s,
    ]);

    writeJson(join(dir, ".changeset", "pre.json"), { mode: "pre", tag: "next" });
    commit(dir);
    await releaseUnsmoked(run);
    const tags = Object.values(readRegistry(storageDir)).map(({ distTags }) => distTags);
    expect(tags).toEqual(packageNames.map(() => ({ latest: "0.9.0", next: "1.0.0-next.0" })));
    const { latest, releases } = world.github.snapshot();
    expect([latest, releases.map(({ tag, prerelease }) => [tag, prerelease])]).toEqual([
      "v0.9.0",
      [
        ["v0.9.0", false],
        ["v1.0.0-next.0", true],
      ],
    ]);

    // Releasing the older commit again would take `latest` back.
    rmSync(join(dir, ".changeset", "pre.json"));
    await setVersions(dir, "0.8.0");
    await expectStopped(scene, [
      /publishing 0\.8\.0 would move the dist-tag `latest` back: it is 0\.9\.0's.*CODEX_JS_RELEASE_DIST_TAG_MOVED/s,
    ]);
  }),
  300_000,
);

async function setVersions(dir: string, version: string): Promise<void> {
  for (const name of readdirSync(join(dir, "packages"))) {
    const file = join(dir, "packages", name, "package.json");
    if (!existsSync(file)) continue;
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    if (manifest.private !== true) writeJson(file, { ...manifest, version });
  }
  commit(dir);
}

function commit(dir: string): void {
  execFileSync("git", ["add", "--all"], { cwd: dir });
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", "commit", "-qm", "next"], {
    cwd: dir,
  });
}

test.each([
  ["a target that is none", ["--to", "nmp"], "CODEX_JS_RELEASE_BAD_TARGET"],
  [
    "an option of the other target",
    ["--registry", "https://registry.example/"],
    "--registry: they are for --to npm",
  ],
  [
    "an option of the rehearsal",
    ["--to", "npm", "--registry-dir", "x"],
    "--registry-dir: they are for a rehearsal",
  ],
  [
    "a token over the open network",
    ["--to", "npm", "--registry", "http://registry.example/"],
    "expected an https URL",
  ],
  [
    "credentials in a URL",
    ["--to", "npm", "--registry", "https://me:pass-word@registry.example/"],
    "expected an https URL",
  ],
  [
    "no number of milliseconds",
    ["--to", "npm", "--visibility-timeout-ms", "soon"],
    "CODEX_JS_RELEASE_BAD_TARGET",
  ],
  ["a step of the other target", ["announce"], "pnpm release announce --to npm"],
])("%s is a usage error", (_, args, said) =>
  withTempDir("codex-js-npm-usage", async (dir) => {
    writeFileSync(join(dir, "pnpm-workspace.yaml"), "packages: []\n");
    const { exitCode, stdout, stderr } = await runRelease(dir, args);
    expect([exitCode, stdout, stderr]).toEqual([2, "", expect.stringContaining(said)]);
    expect(stderr).not.toContain("pass-word");
  }),
);
