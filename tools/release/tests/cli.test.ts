import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
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
  ["an unknown step", ["publsh"], "publsh"],
  ["a step whose predecessor has not run", ["pack"], "pnpm release plan"],
  ["an unknown runtime", ["--runtime", "node1"], "node22, node24, node26, bun"],
  ["no port", ["--port", "70000"], "CODEX_JS_RELEASE_BAD_PORT"],
])("%s is a usage error", (_, args, said) =>
  inFixture(async (dir) => {
    const { exitCode, stderr } = await runRelease(dir, args);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(said);
  })(),
);

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

test(
  "an out dir with other files in it is not touched",
  inFixture(async (dir) => {
    mkdirSync(join(dir, "mine", "tarballs"), { recursive: true });
    const { exitCode, stderr } = await runRelease(dir, ["plan", "--out", "mine"]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain("holds files that no release has put there");
  }),
);
