import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { commandNames } from "../src/command-names.ts";
import { writeFixtureWorkspace } from "./fixture-workspace.ts";
import { runRelease } from "./run-cli.ts";

function inFixture(use: (dir: string) => Promise<void>): () => Promise<void> {
  return () =>
    withTempDir("codex-js-release-cli", async (dir) => {
      await writeFixtureWorkspace(dir);
      return use(dir);
    });
}

test(
  "--dry-run prints the plan, the golden one, and writes nothing",
  inFixture(async (dir) => {
    const { exitCode, stdout } = await runRelease(dir, ["--dry-run", "--json"]);
    const plan = JSON.parse(stdout);
    expect({ exitCode, commit: plan.commit }).toEqual({
      exitCode: 0,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    const golden = readFileSync(join(import.meta.dirname, "plan.golden.json"), "utf8");
    expect({ ...plan, commit: "COMMIT" }).toEqual(JSON.parse(golden));
    expect(existsSync(join(dir, ".release"))).toBe(false);
    // Also before a step that would have published.
    expect((await runRelease(dir, ["publish", "--dry-run"])).stdout).toMatch(
      /1 {2}@fixture\/core {2}1\.0\.0/,
    );
    expect(existsSync(join(dir, ".release"))).toBe(false);
  }),
);

test(
  "bad changesets are all named, with file and fault",
  inFixture(async (dir) => {
    writeFileSync(join(dir, ".changeset", "a-typo.md"), '---\n"@fixture/cor": minor\n---\n\nText\n');
    writeFileSync(join(dir, ".changeset", "b-broken.md"), "no front matter\n");
    const { exitCode, stderr } = await runRelease(dir, ["plan"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      [
        "error: 2 changesets are wrong",
        `  ${join(".changeset", "a-typo.md")}: "@fixture/cor" is no public package of this workspace`,
        `  ${join(".changeset", "b-broken.md")}: missing or invalid frontmatter (CODEX_JS_RELEASE_BAD_CHANGESET)`,
        "  fix: mend the file",
      ].join("\n"),
    );
  }),
);

test.each([
  ["an unknown flag", ["--registry-dirr", "x"], "unknown option '--registry-dirr'"],
  ["an unknown step", ["publsh"], `the steps are ${commandNames.join(", ")}`],
  ["two steps at once", ["plan", "publish"], "too many arguments for 'plan'"],
  ["a step whose predecessor has not run", ["pack"], "pnpm release plan"],
  ["an unknown runtime", ["--runtime", "node1"], "node22, node24, node26, bun"],
  ["no port", ["--port", "70000"], "CODEX_JS_RELEASE_BAD_PORT"],
  ["an empty --out", ["plan", "--out", ""], "CODEX_JS_CLI_EMPTY_PATH"],
  ["an empty --registry-dir", ["--registry-dir", ""], "CODEX_JS_CLI_EMPTY_PATH"],
  ["an empty --registry-dir of a dry run", ["--dry-run", "--registry-dir="], "CODEX_JS_CLI_EMPTY_PATH"],
  ["the repository as out dir", ["plan", "--out", "."], "CODEX_JS_RELEASE_OUT_DIR_UNUSABLE"],
  ["the repository as registry", ["--registry-dir", "."], "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE"],
  ["what is around it as registry", ["--registry-dir", ".."], "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE"],
  ["a folder in use as registry", ["--registry-dir", "packages"], "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE"],
  [
    "a folder in use as registry of a plan",
    ["plan", "--registry-dir", "packages"],
    "CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE",
  ],
])("%s is a usage error", (_, args, said) =>
  inFixture(async (dir) => {
    const before = listFiles(dir);
    const { exitCode, stderr } = await runRelease(dir, args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(said);
    expect(listFiles(dir)).toEqual(before);
  })(),
);

// Node's recursive mkdir does not come back from there.
test.skipIf(process.platform !== "linux")(
  "a folder that cannot be made ends a release at once",
  inFixture(async (dir) => {
    const { exitCode, stderr } = await runRelease(dir, ["--registry-dir", "/proc/codex-js"]);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining("CODEX_JS_RELEASE_REGISTRY_DIR_UNUSABLE"),
    ]);
    const out = await runRelease(dir, ["plan", "--out", "/proc/codex-js"]);
    expect([out.exitCode, out.stderr]).toEqual([
      2,
      expect.stringContaining("CODEX_JS_RELEASE_OUT_DIR_UNUSABLE"),
    ]);
  }),
);

test(
  "a plan writes nothing into the registry's folder",
  inFixture(async (dir) => {
    mkdirSync(join(dir, "empty"));
    for (const args of [["--dry-run"], ["plan"]]) {
      expect(await runRelease(dir, [...args, "--registry-dir", "empty"])).toMatchObject({ exitCode: 0 });
      expect(await runRelease(dir, [...args, "--registry-dir", "absent"])).toMatchObject({ exitCode: 0 });
    }
    expect([readdirSync(join(dir, "empty")), existsSync(join(dir, "absent"))]).toEqual([[], false]);
  }),
);

/** Everything in the fixture but what a release keeps for itself. */
function listFiles(dir: string): string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((path) => !/^\.(git|release)\b/.test(path))
    .sort();
}

test(
  "a port that is taken",
  inFixture(async (dir) => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as { port: number };
    try {
      const { exitCode, stderr, stdout } = await runRelease(dir, ["--port", `${port}`, "--json"]);
      expect([exitCode, JSON.parse(stdout).error.code]).toEqual([3, "CODEX_JS_REGISTRY_PORT_TAKEN"]);
      expect(stderr).toContain(`${port}`);
    } finally {
      server.close();
    }
  }),
);

test(
  "a lock of a running process keeps a second release out",
  inFixture(async (dir) => {
    const outDir = join(dir, ".release");
    await runRelease(dir, ["plan"]);
    writeFileSync(join(outDir, "lock.json"), JSON.stringify({ pid: process.pid, startedAt: "noon" }));
    const { exitCode, stderr } = await runRelease(dir, ["plan"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain(`process ${process.pid} has been releasing into the same folder since noon`);
  }),
);

// Guards two clones that rehearsed into one folder at a time.
test(
  "a registry that another release is using keeps a second one out, whatever its out dir",
  inFixture(async (dir) => {
    const args = ["--registry-dir", "kept", "--runtime", "bun"];
    expect(await runRelease(dir, args)).toMatchObject({ exitCode: 0 });
    const lock = join(dir, "kept", "lock.json");
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, JSON.stringify({ pid: process.pid, startedAt: "noon" }));
    const { exitCode, stderr } = await runRelease(dir, [...args, "--out", "other"]);
    expect(exitCode).toBe(3);
    expect(stderr).toContain("use another --registry-dir");
  }),
);

// Guards remedies that sent the user of --out into the default folder.
test(
  "a remedy names the command with the options of the one that failed",
  inFixture(async (dir) => {
    const { exitCode, stderr } = await runRelease(dir, ["pack", "--out", "elsewhere"]);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining("fix: pnpm release plan --out elsewhere\n"),
    ]);
  }),
);

test(
  "an out dir with other files in it is not touched",
  inFixture(async (dir) => {
    mkdirSync(join(dir, "mine", "tarballs"), { recursive: true });
    const { exitCode, stderr } = await runRelease(dir, ["plan", "--out", "mine"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("holds files that no release has put there");
  }),
);
