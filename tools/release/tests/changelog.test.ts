import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withTempDir } from "@codex-js/cli-kit";
import { expect, test } from "vitest";
import { writeFixtureWorkspace, writeJson } from "./fixture-workspace.ts";

const changelog = join(import.meta.dirname, "..", "src", "changelog", "changelog.ts");
const changesets = fileURLToPath(new URL("bin.js", import.meta.resolve("@changesets/cli/package.json")));

test("changeset version names the pull request of each change, squashed or merged, and else the commit", () =>
  withTempDir("codex-js-changelog", async (dir) => {
    await writeFixtureWorkspace(dir);
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.invalid", ...args], {
        cwd: dir,
        encoding: "utf8",
      });
    const first = git("rev-parse", "--short=7", "HEAD").trim();
    const commitChange = (name: string, text: string, subject: string) => {
      writeFileSync(join(dir, ".changeset", `${name}.md`), `---\n"@fixture/core": minor\n---\n\n${text}\n`);
      git("add", "--all");
      git("commit", "--quiet", "-m", subject);
    };
    const config = join(dir, ".changeset", "config.json");
    writeJson(config, { ...JSON.parse(readFileSync(config, "utf8")), changelog });
    commitChange("squashed", "Squashed.\n\nWith more.", "A squashed change (#12)");
    git("checkout", "--quiet", "-b", "topic");
    commitChange("merged", "Merged.", "A change on a branch");
    git("checkout", "--quiet", "main");
    git("merge", "--quiet", "--no-ff", "topic", "-m", "Merge pull request #34 from somebody/topic");
    commitChange("direct", "Direct.", "Pushed directly");
    const direct = git("rev-parse", "--short=7", "HEAD").trim();

    execFileSync(process.execPath, [changesets, "version"], { cwd: dir, stdio: "ignore" });
    const core = readFileSync(join(dir, "packages", "core", "CHANGELOG.md"), "utf8");
    const link = (number: number) => `[#${number}](https://github.com/fixture/fixture/pull/${number}): `;
    expect(
      core
        .split("\n")
        .filter((line) => /^(- | {2})/.test(line))
        .toSorted(),
    ).toEqual(
      [
        `- ${link(12)}Squashed.`,
        "  With more.",
        `- ${link(34)}Merged.`,
        `- ${direct}: Direct.`,
        `- ${first}: A feature.`,
      ].toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    );
  }));
